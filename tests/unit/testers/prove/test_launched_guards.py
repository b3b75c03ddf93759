"""Guards of a candidate's kernels that follow from their launches, and such as only look so."""

from __future__ import annotations

import pytest

from tests.unit.testers.making import INT, contract, plain, pointer, size, value, writes
from tests.unit.testers.prove.reached import never_taken
from transpile.core import Scalar

CONTRACT = contract(
    (pointer("y", INT), value("n"), value("m"), value("l", plain(Scalar.INT64))),
    (writes("y", "n"),),
    (size("n"), size("m"), size("l")),
)
EMULATOR = """
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
};
namespace simt {
struct Configuration { Configuration(dim3 blocks, dim3 threads, unsigned long shared = 0); };
template <class T> struct Same { using type = T; };
template <class... Parameters>
void launch(const char *, const Configuration &, void (*)(Parameters...), typename Same<Parameters>::type...);
}
extern thread_local dim3 threadIdx, blockIdx, blockDim, gridDim;
void change(int &), look(const int &);
"""
"""Declarations of the emulator, as far as they matter here."""


def ways(kernel: str, host: str) -> tuple[int, int]:
    """Return how many ways out of the kernel's line with ``//`` nothing takes, and how many it has."""
    parameters, _, body = kernel.partition("|")
    text = (
        f"{EMULATOR}namespace space {{\nvoid k({parameters}) {{\n{body}\n}}\n"
        f"void f(int *y, int n, int m, long l) {{\n{host}\n}}\n}}\n"
    )
    [found] = never_taken(text, CONTRACT, ("y", "n", "m", "l"))
    return found


INDEX = "int i = threadIdx.x + blockDim.x * blockIdx.x;\n"
PLAIN = f"int *y, int n|{INDEX}if (i < n) //\ny[i] = 1;"
LONG = f"int *y, long l|{INDEX}if (i < l) //\ny[i] = 1;"
PADDED = (
    "int *y, int n, int m|int w = n + 2 * m;\nint c = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "if (c < w) //\ny[c] = 1;"
)


def launch(grid: str, block: str, arguments: str) -> str:
    """Return a launch of the kernel as the emulator has it."""
    return f'simt::launch("k", simt::Configuration({grid}, {block}), k, {arguments});'


@pytest.mark.parametrize(
    ("kernel", "host"),
    [
        (PLAIN, launch("n", "1", "y, n")),
        (PLAIN, launch("dim3(n)", "dim3(1)", "y, n")),
        (PLAIN, "dim3 b(1);\ndim3 g((n + b.x - 1) / b.x);\n" + launch("g", "b", "y, n")),
        (PLAIN, "int blocks = n;\nlook(blocks + 1);\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "n++;\n" + launch("n", "1", "y, n")),
        (PLAIN, "for (int w = n; w > 1; w = (w + 1) / 2)\n" + launch("w", "1", "y, w")),
        (LONG, launch("l", "1", "y, l")),
        (LONG, "const unsigned blocks = static_cast<unsigned>(l);\n" + launch("blocks", "1", "y, l")),
        (PADDED, "int w = n + 2 * m;\n" + launch("w", "1", "y, n, m")),
        (PADDED, "int w = n + 2 * m;\n" + launch("dim3(w, n, 7)", "1", "y, n, m")),
    ],
)  # fmt: skip
def test_guards_that_launches_make_needless_are_told(kernel: str, host: str) -> None:
    assert ways(kernel, host) == (1, 2)


@pytest.mark.parametrize(
    ("kernel", "host"),
    [
        (PLAIN, launch("n + 1", "1", "y, n")),
        (PLAIN, launch("n", "2", "y, n")),
        (PLAIN, launch("m", "1", "y, n")),
        (PLAIN, launch("n", "1", "y, n") + launch("m", "1", "y, n")),
        (PLAIN, launch("n", "1", "y, n") + "void (*other)(int *, int) = k;\nother(y, m);"),
        (PLAIN, "int blocks = n;\nblocks += m;\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "int blocks = n;\nchange(blocks);\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "int blocks = n;\nlook(blocks);\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "int blocks = n;\nint &other = blocks;\nother = m;\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "int blocks = n;\n*&blocks = m;\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "int blocks = n;\n[&] { blocks = m; }();\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "int blocks = n;\nn = m;\n" + launch("blocks", "1", "y, n")),
        (PLAIN, "dim3 grid(n);\ngrid.x = m;\n" + launch("grid", "1", "y, n")),
        (PLAIN, "dim3 grid(n);\ngrid = dim3(m);\n" + launch("grid", "1", "y, n")),
        (PLAIN, "dim3 grid(n);\nunsigned *x = &grid.x;\n*x = m;\n" + launch("grid", "1", "y, n")),
        (PLAIN, "dim3 grid(n);\nn = m;\n" + launch("grid", "1", "y, n")),
        (PLAIN, "static int blocks = n;\n" + launch("blocks", "1", "y, n")),
        (PLAIN, launch("n", "1", "(n = m, y), n")),
        (PLAIN, "dim3 grid(1, n);\n" + launch("grid", "1", "y, n")),
        (PLAIN, launch("n / 1 / 2 * 2 + 2", "1", "y, n")),
        (PLAIN, launch("short(n)", "1", "y, m")),
        (LONG, "l -= 9;\n" + launch("l", "1", "y, l")),
        (LONG, launch("l", "1", "y, -l")),
        (PADDED, "int w = n + 2 * m;\n" + launch("w", "1", "y, m, n")),
    ],
)
def test_guards_that_some_launch_needs_are_not(kernel: str, host: str) -> None:
    assert ways(kernel, host) == (0, 0)
