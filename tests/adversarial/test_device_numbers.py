"""Sizes that kernels find in constant memory, mistaken."""

from __future__ import annotations

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

SOURCE = """
struct Grid { int columns, rows; float weight; };
__constant__ Grid grid;
__constant__ int border;

__global__ void smooth(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= grid.columns || j >= grid.rows) return;
    int at = j * grid.columns + i;
    bool inside = i >= border && i < grid.columns - border && j >= border && j < grid.rows - border;
    out[at] = inside ? grid.weight * (in[at - border] + in[at + border]) : in[at];
}
"""
RIGHT = """
void smooth(const float *in, float *out)
{
    #pragma omp parallel for
    for (int j = 0; j < grid.rows; j++)
        for (int i = 0; i < grid.columns; i++) {
            int at = j * grid.columns + i;
            bool inside = i >= border && i < grid.columns - border && j >= border && j < grid.rows - border;
            out[at] = inside ? grid.weight * (in[at - border] + in[at + border]) : in[at];
        }
}
"""
SLIPS = {
    "none": ("", ""),
    "square": ("i < grid.columns; i++", "i < grid.rows; i++"),
    "rows as stride": ("j * grid.columns", "j * grid.rows"),
    "border of one": ("at - border", "at - 1"),
    "no lower border": ("i >= border && i", "i"),
    "one row fewer": ("j < grid.rows; j++", "j < grid.rows - 1; j++"),
    "sizes as they were": (
        "{\n    #pragma",
        "{\n    static int rows = grid.rows;\n    if (rows < grid.rows) return;\n    #pragma",
    ),
    "changed": ("{\n    #pragma", "{\n    if (grid.rows > 40) border = 1;\n    #pragma"),
}


def test_sizes_in_constant_memory_are_tried(workshop: Workshop) -> None:
    texts = {name: RIGHT.replace(*slip) if slip[0] else RIGHT for name, slip in SLIPS.items()}
    found = rewards(workshop, SOURCE, texts, suffix=".cu")
    assert kept(found) == {"none"}, found
