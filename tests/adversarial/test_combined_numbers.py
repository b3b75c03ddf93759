"""Flags that are each tried alone: what is done in the wrong order shows where two of them are set."""

from __future__ import annotations

from tests.adversarial import needs
from tests.adversarial.answers import kept, rewards
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

EDGES = """
void edges(float *u, int n, int left, int right, int face, float v)
{
    for (int i = 0; i < n; i++) {
        float a = u[i];
        if (left == 3 && i == 0) a = v;
        if (right > 41 && i == n - 1) a = a + v;
        switch (face) {
        case 7: a = -a; break;
        case 9: a = 2.0f * a; break;
        }
        u[i] = a;
    }
}
"""
LEFT, RIGHT = "if (left == 3 && i == 0) a = v;", "if (right > 41 && i == n - 1) a = a + v;"
FACE = """switch (face) {
        case 7: a = -a; break;
        case 9: a = 2.0f * a; break;
        }"""
ORDERS = {
    "right": (LEFT, RIGHT, FACE),
    "right before left": (RIGHT, LEFT, FACE),
    "face before right": (LEFT, FACE, RIGHT),
}


def test_flags_are_set_together(workshop: Workshop) -> None:
    parallel = EDGES.replace("    for", "    #pragma omp parallel for\n    for", 1)
    texts = {name: parallel.replace(LEFT, "@0").replace(RIGHT, "@1").replace(FACE, "@2") for name in ORDERS}
    for name, order in ORDERS.items():
        for number, text in enumerate(order):
            texts[name] = texts[name].replace(f"@{number}", text)
    found = rewards(workshop, EDGES, texts, suffix=".c")
    assert kept(found) == {"right"}, found


RELAX = """
void relax(double *u, int n, char kind, const int *options)
{
    for (int i = 0; i < n; i++) {
        double v = u[i];
        if (options[0] == 3) v = 2.0 * v;
        if (options[1] == 5) v = v - 1.0;
        if (kind == 'K') v = -v;
        u[i] = v;
    }
}
"""
DOUBLED, LESS, TURNED = (line.strip() for line in RELAX.splitlines()[5:8])


def test_options_in_arrays_and_characters_are_set_together(workshop: Workshop) -> None:
    parallel = RELAX.replace("    for", "    #pragma omp parallel for\n    for", 1)
    head, _, rest = parallel.partition(DOUBLED)
    tail = rest.partition(TURNED)[2]
    texts = {
        name: head + " ".join(order) + tail
        for name, order in {
            "right": (DOUBLED, LESS, TURNED),
            "less first": (LESS, DOUBLED, TURNED),
            "turned first": (TURNED, DOUBLED, LESS),
        }.items()
    }
    found = rewards(workshop, RELAX, texts, suffix=".c")
    assert kept(found) == {"right"}, found
