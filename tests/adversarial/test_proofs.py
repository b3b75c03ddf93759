"""Wrong translations for which a sloppy prover would say yes, beside honest ones that it must not miss."""

from __future__ import annotations

import pytest

from tests.adversarial.proofs import attempt, claims, why
from transpile.core import Claim, Covers, Invariant, Proof, Unbounded

pytestmark = pytest.mark.integration

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
LOOP = "#pragma omp parallel for\n  for (int i = 0; i < n; ++i)"
BOTH = {Claim.PARALLEL, Claim.AGREES}


def kernel(parameters: str, body: str, before: str = "") -> str:
    return f"{before}\n__global__ void k({parameters}) {{ {INDEX} if (i < n) {{ {body} }} }}\n"


def loop(parameters: str, body: str, head: str = LOOP) -> str:
    return f"void k({parameters}) {{\n  {head} {{ {body} }}\n}}\n"


MAP = "float *y, const float *x, int n"
WHOLE = "int *y, const int *x, int n"

HONEST = {
    "map": (MAP, "y[i] = 2.0f * x[i] + 1.0f;", "y[i] = 2.0f * x[i] + 1.0f;"),
    "operands swapped": (MAP, "y[i] = x[i] + y[i];", "y[i] = y[i] + x[i];"),
    "branch turned round": (
        MAP,
        "if (x[i] > 0) y[i] = x[i]; else y[i] = 0;",
        "if (!(x[i] > 0)) { y[i] = 0; } else { y[i] = x[i]; }",
    ),
    "conditional expression": (
        WHOLE,
        "if (x[i] > 3) y[i] = x[i]; else y[i] = 3;",
        "y[i] = x[i] > 3 ? x[i] : 3;",
    ),
    "a maximum of integers": (WHOLE, "y[i] = max(x[i], n);", "y[i] = std::max(x[i], n);"),
    "integer identity": (WHOLE, "y[i] = x[i] * 2;", "y[i] = x[i] + x[i];"),
    "shift for a power": (WHOLE, "y[i] = x[i] * 8;", "y[i] = x[i] << 3;"),
    "inner loop": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        "float s = 0; int j = 0; while (j < n) { s += x[j]; j++; } y[i] = s;",
    ),
    "inner loop that breaks": (
        MAP,
        "int j; for (j = 0; j < n; j++) { if (x[j] < 0) break; } y[i] = j;",
        "int j; for (j = 0; j < n; ++j) { if (x[j] < 0) break; } y[i] = j;",
    ),
    "every second element": (
        "float *y, const float *x, int n",
        "y[2 * i] = x[i]; y[2 * i + 1] = -x[i];",
        "y[2 * i + 1] = -x[i]; y[2 * i] = x[i];",
    ),
    "rows": (
        "float (*y)[8], const float (*x)[8], int n",
        "y[i][3] = x[i][5];",
        "const float *row = x[i]; y[i][3] = row[5];",
    ),
    "pointer arithmetic": (MAP, "const float *p = x + i; y[i] = *p;", "y[i] = x[i];"),
    "unsigned wrap kept": (
        "unsigned *y, const unsigned *x, int n",
        "y[i] = x[i] * 2654435761u - 1u;",
        "y[i] = x[i] * 2654435761u + 0xffffffffu;",
    ),
}


@pytest.mark.parametrize("name", HONEST)
def test_honest_pairs_are_proved(name: str) -> None:
    parameters, source, translation = HONEST[name]
    found = attempt(kernel(parameters, source), loop(parameters, translation))
    assert claims(found) == BOTH, found


# name: parameters, source, translation, the claims that hold all the same
WRONG = {
    "float made double": (MAP, "y[i] = x[i] * 0.1f;", "y[i] = x[i] * 0.1;", {Claim.PARALLEL}),
    "double variant of a function": (
        MAP,
        "y[i] = sqrtf(x[i]) + expf(x[i]);",
        "y[i] = sqrtf(x[i]) + exp((double)x[i]);",
        {Claim.PARALLEL},
    ),
    "fused multiply and add": (
        MAP,
        "y[i] = x[i] * x[i] + y[i];",
        "y[i] = fmaf(x[i], x[i], y[i]);",
        {Claim.PARALLEL},
    ),
    "reassociated": (
        MAP,
        "y[i] = (x[i] + y[i]) + 1.0f;",
        "y[i] = x[i] + (y[i] + 1.0f);",
        {Claim.PARALLEL},
    ),
    "rows for columns": (
        "float (*y)[8], const float (*x)[8], int n",
        "y[i][3] = x[i][5];",
        "y[i][3] = x[5][i];",
        {Claim.PARALLEL},
    ),
    "an element of the next row": (
        "float (*y)[8], const float (*x)[8], int n",
        "y[i][3] = x[i][5];",
        "y[i][3] = (&x[i][5])[8];",
        {Claim.PARALLEL},
    ),
    "difference turned round": (MAP, "y[i] = x[i] - y[i];", "y[i] = y[i] - x[i];", {Claim.PARALLEL}),
    "division for a product": (MAP, "y[i] = x[i] / 3.0f;", "y[i] = x[i] * (1.0f / 3.0f);", {Claim.PARALLEL}),
    "less for less or equal": (
        WHOLE,
        "if (x[i] <= 3) y[i] = 1; else y[i] = 0;",
        "if (x[i] < 3) y[i] = 1; else y[i] = 0;",
        {Claim.PARALLEL},
    ),
    "not less is not greater or equal for NaN": (
        MAP,
        "y[i] = x[i] < 0 ? 1.0f : 2.0f;",
        "y[i] = x[i] >= 0 ? 2.0f : 1.0f;",
        {Claim.PARALLEL},
    ),
    "a maximum that keeps NaN": (
        MAP,
        "y[i] = max(x[i], y[i]);",
        "y[i] = std::max(x[i], y[i]);",
        {Claim.PARALLEL},
    ),
    "asks for the launch": (
        MAP,
        "y[i] = x[i];",
        "y[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];",
        set(),
    ),
    "narrow product": (
        "long *y, const int *x, int n",
        "y[i] = (long)x[i] * x[i];",
        "y[i] = x[i] * x[i];",
        {Claim.PARALLEL},
    ),
    "unsigned made signed": (
        "int *y, const unsigned *x, int n",
        "y[i] = x[i] / 2 > 5;",
        "y[i] = (int)x[i] / 2 > 5;",
        {Claim.PARALLEL},
    ),
    "unsigned wrap lost": (
        "long *y, const unsigned *x, int n",
        "y[i] = x[i] - 1u;",
        "y[i] = (long)x[i] - 1;",
        {Claim.PARALLEL},
    ),
    "a product that overflows instead of wrapping": (
        WHOLE,
        "y[i] = (int)((unsigned)x[i] * (unsigned)x[i]);",
        "y[i] = x[i] * x[i];",
        {Claim.PARALLEL},
    ),
    "a sum that overflows instead of wrapping": (
        WHOLE,
        "y[i] = (int)((unsigned)x[i] + 1u);",
        "y[i] = x[i] + 1;",
        {Claim.PARALLEL},
    ),
    "a shift by too much": (
        WHOLE,
        "y[i] = n > 31 ? 0 : (int)((unsigned)x[i] << n);",
        "y[i] = (int)((unsigned)x[i] << n);",
        {Claim.PARALLEL},
    ),
    "division that floors": (WHOLE, "y[i] = x[i] / 2;", "y[i] = x[i] >> 1;", {Claim.PARALLEL}),
    "a char that is not a char": (
        "unsigned char *y, const int *x, int n",
        "y[i] = x[i];",
        "y[i] = x[i] > 255 ? 255 : x[i];",
        {Claim.PARALLEL},
    ),
    "reads its neighbour": (MAP, "y[i] = x[i];", "y[i] = x[i + 1];", {Claim.PARALLEL}),
    "reads what another writes": (MAP, "y[i] = x[i];", "y[i] = x[i]; y[i] += 0 * y[i + 1];", set()),
    "reads a neighbour and ignores it": (
        MAP,
        "y[i] = x[i];",
        "float t = x[i + 1]; y[i] = x[i];",
        {Claim.PARALLEL},
    ),
    "divides before it looks": (
        "int *y, const int *x, const int *d, int n",
        "if (d[i] != 0) y[i] = x[i] / d[i];",
        "int q = x[i] / d[i]; if (d[i] != 0) y[i] = q;",
        {Claim.PARALLEL},
    ),
    "writes twice": (MAP, "y[i] = x[i];", "y[i] = x[i]; y[0] = x[0];", set()),
    "half the subscript": (MAP, "y[i] = x[i];", "y[i / 2] = x[i];", set()),
    "drops a store": (MAP, "y[i] = x[i]; y[i + n] = 0;", "y[i] = x[i];", {Claim.PARALLEL}),
    "inner loop one short": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        "float s = 0; for (int j = 0; j < n - 1; ++j) s += x[j]; y[i] = s;",
        {Claim.PARALLEL},
    ),
    "inner loop backward": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        "float s = 0; for (int j = n - 1; j >= 0; --j) s += x[j]; y[i] = s;",
        {Claim.PARALLEL},
    ),
    "inner loop from another start": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        "float s = 1; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        {Claim.PARALLEL},
    ),
    "a counter that starts elsewhere": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) s += 1.0f; y[i] = s;",
        "float s = 0; for (int j = 1; j < n; ++j) s += 1.0f; y[i] = s;",
        {Claim.PARALLEL},
    ),
    "a bound from another round": (
        MAP,
        "float s = 0; for (int k = 0; k < n; ++k) for (int j = 0; j < k; ++j) s += 1.0f; y[i] = s;",
        "float s = 0; for (int k = 0; k < n; ++k) for (int j = 0; j < n; ++j) s += 1.0f; y[i] = s;",
        {Claim.PARALLEL},
    ),
    "break taken for continue": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) { if (x[j] < 0) break; s += x[j]; } y[i] = s;",
        "float s = 0; for (int j = 0; j < n; ++j) { if (x[j] < 0) continue; s += x[j]; } y[i] = s;",
        {Claim.PARALLEL},
    ),
    "loop that runs once too often": (
        MAP,
        "int j = 0; while (j < n && x[j] > 0) j++; y[i] = j;",
        "int j = 0; do { j++; } while (j < n && x[j] > 0); y[i] = j;",
        {Claim.PARALLEL},
    ),
    "uninitialised": (
        MAP,
        "float s = 0; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        "float s; for (int j = 0; j < n; ++j) s += x[j]; y[i] = s;",
        {Claim.PARALLEL},
    ),
    "both uninitialised": (MAP, "float s; y[i] = s;", "float s; y[i] = s;", {Claim.PARALLEL}),
    "in the other order": (
        MAP,
        "y[2 * i] = x[i]; y[2 * i + (n & 1)] = 1;",
        "y[2 * i + (n & 1)] = 1; y[2 * i] = x[i];",
        {Claim.PARALLEL},
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_translations_are_not_proved(name: str) -> None:
    parameters, source, translation, holds = WRONG[name]
    found = attempt(kernel(parameters, source), loop(parameters, translation))
    assert claims(found) <= holds, found


WRONG_LOOPS = {
    "one too many": "for (int i = 0; i <= n; ++i)",
    "one too few": "for (int i = 0; i < n - 1; ++i)",
    "from one": "for (int i = 1; i < n; ++i)",
    "from below": "for (int i = -1; i < n; ++i)",
    "every second": "for (int i = 0; i < n; i += 2)",
    "downward": "for (int i = n - 1; i >= 0; --i)",
    "in a char": "for (signed char i = 0; i < n; ++i)",
    "compared unsigned from below": "for (int i = -1; i < (unsigned)n; ++i)",
    "until it meets": "for (int i = 0; i != n; ++i)",
}


@pytest.mark.parametrize("name", WRONG_LOOPS)
def test_loops_over_something_else_are_no_agreement(name: str) -> None:
    head = "#pragma omp parallel for\n  " + WRONG_LOOPS[name]
    found = attempt(kernel(MAP, "y[i] = x[i];"), loop(MAP, "y[i] = x[i];", head))
    assert Claim.AGREES not in claims(found), found


RACES = {
    "neighbours share an element": (MAP, "y[i / 2] = x[i];"),
    "all share an element": (MAP, "y[0] = x[i];"),
    "reversal in place": ("float *y, int n", "float t = y[i]; y[i] = y[n - 1 - i]; y[n - 1 - i] = t;"),
    "a shift in place": ("float *y, int n", "y[i] = y[i + 1];"),
    "by an index array": ("float *y, const int *p, int n", "y[p[i]] = 1;"),
    "in two strides": ("float *y, int n", "y[2 * i] = 0; y[3 * i] = 1;"),
    "a stride that may be nothing": ("float *y, int n, int s", "y[i * s] = 1;"),
    "a remainder": ("float *y, int n, int m", "y[i % m] = 1;"),
    "a mask": ("float *y, int n", "y[i & 15] = 1;"),
    "a wrapped product": ("float *y, int n", "y[(unsigned char)i] = 1;"),
    "an inner loop that overlaps": (
        "float *y, int n, int m",
        "for (int j = 0; j <= m; ++j) y[i * m + j] = 1;",
    ),
    "an inner loop of unknown steps": (
        "float *y, const int *x, int n",
        "for (int j = 0; j < n; j += x[i]) y[i + j] = 1;",
    ),
    "a position that a loop moves": (
        "float *y, const int *x, int n",
        "int p = i * n; for (int j = 0; j < n; ++j) { y[p] = 1; p += x[j]; }",
    ),
    "rounded down by a float": ("float *y, int n", "y[(int)(i * 0.5f)] = 1;"),
}


@pytest.mark.parametrize("name", RACES)
def test_races_are_not_proved_parallel_on_either_side(name: str) -> None:
    parameters, body = RACES[name]
    found = attempt(kernel(parameters, body), loop(parameters, body))
    assert claims(found) == set(), found
    alone = attempt(kernel(parameters, body), loop(parameters, body, "for (int i = 0; i < n; ++i)"))
    assert Claim.AGREES not in claims(alone), "the threads of the source race"


PARALLEL = {
    "an index array of different elements": ("float *y, const int *p, int n", "y[p[i]] = 1;"),
    "a stride of at least one": ("float *y, int n, int s", "y[i * s] = 1;"),
    "rows": ("float *y, int n, int m", "for (int j = 0; j < m; ++j) y[i * m + j] += 1;"),
    "columns": ("float *y, int n, int m", "for (int j = 0; j < m; ++j) y[j * n + i] += 1;"),
    "backward": ("float *y, int n, int m", "for (int j = m - 1; j >= 0; --j) y[j * n + i] += 1;"),
}


@pytest.mark.parametrize("name", PARALLEL)
def test_parallel_loops_are_proved_with_what_they_take(name: str) -> None:
    parameters, body = PARALLEL[name]
    found = attempt(kernel(parameters, body), loop(parameters, body), lows={"s": 1, "m": 0}, distinct=("p",))
    assert claims(found) == BOTH, found
    assert isinstance(found, Proof)
    needed = {"p": "the elements of p are all different", "s": "s is at least 1"}
    for parameter, text in needed.items():
        assert (text in found.assumptions) == (f" {parameter}," in parameters.replace("*p", "p") + ",")


@pytest.mark.parametrize("leave", ["return", "break"])
def test_a_loop_that_is_left_early_is_no_launch(leave: str) -> None:
    source = kernel(MAP, "if (x[i] < 0) return; y[i] = x[i];")
    head = "for (int i = 0; i < n; ++i)"
    found = attempt(source, loop(MAP, f"if (x[i] < 0) {leave}; y[i] = x[i];", head))
    assert Claim.AGREES not in claims(found), found
    assert Claim.AGREES in claims(attempt(source, loop(MAP, "if (x[i] < 0) continue; y[i] = x[i];", head)))
    nested = f"for (int j = 0; j < n; ++j) if (x[j] < 0) {leave}; y[i] = x[i];"
    inner = attempt(kernel(MAP, nested), loop(MAP, nested, head))
    assert (Claim.AGREES in claims(inner)) == (leave == "break"), inner


def test_shared_variables_are_no_parallel_loop() -> None:
    before = "float t; int i;\n  #pragma omp parallel for\n  for (i = 0; i < n; ++i)"
    body = "t = x[i]; y[i] = t * t;"
    source = kernel(MAP, "float t = x[i]; y[i] = t * t;")
    shared = attempt(source, loop(MAP, body, before))
    assert claims(shared) == set()
    assert "shared" in why(shared, Claim.PARALLEL)
    private = attempt(source, loop(MAP, body, before.replace("for\n", "for private(t)\n")))
    assert claims(private) == BOTH, private
    stale = attempt(source, loop(MAP, "y[i] = t * t; t = x[i];", before.replace("for\n", "for private(t)\n")))
    assert Claim.AGREES not in claims(stale)


@pytest.mark.parametrize(
    "clause", ["reduction(+:n)", "lastprivate(n)", "ordered", "linear(n)", "collapse(2)", "private(y)"]
)
def test_other_clauses_are_not_modelled(clause: str) -> None:
    head = f"#pragma omp parallel for {clause}\n  for (int i = 0; i < n; ++i)"
    assert claims(attempt(kernel(MAP, "y[i] = x[i];"), loop(MAP, "y[i] = x[i];", head))) == set()


ROWS = """__global__ void k(float *y, const float *x, int n, int m) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < n && c < m) y[r * m + c] = x[c * n + r];
}
"""


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("for (int r = 0; r < n; ++r)\n for (int c = 0; c < m; ++c) y[r * m + c] = x[c * n + r];", BOTH),
        ("for (int c = 0; c < m; ++c)\n for (int r = 0; r < n; ++r) y[r * m + c] = x[c * n + r];", BOTH),
        (
            "for (int r = 0; r < m; ++r)\n for (int c = 0; c < n; ++c) y[r * n + c] = x[c * m + r];",
            {Claim.PARALLEL},
        ),
        ("for (int r = 0; r < n; ++r)\n for (int c = 0; c < m; ++c) y[r * n + c] = x[c * n + r];", set()),
        ("for (int r = 0; r < n; ++r)\n for (int c = 0; c < n; ++c) y[r * m + c] = x[c * n + r];", set()),
        (
            "for (int r = 0; r < n; ++r)\n for (int c = 0; c < m; ++c) y[r * m + c] = x[r * m + c];",
            {Claim.PARALLEL},
        ),
    ],
)
def test_two_axes(text: str, holds: set[Claim]) -> None:
    parameters = "float *y, const float *x, int n, int m"
    translation = f"void k({parameters}) {{\n#pragma omp parallel for collapse(2)\n{text}\n}}\n"
    found = attempt(ROWS, translation, law=Covers(x="m", y="n"))
    assert claims(found) == holds, found


def test_an_axis_that_is_forgotten_tells_no_threads_apart() -> None:
    source = ROWS.replace("y[r * m + c] = x[c * n + r]", "y[c] = x[c * n + r]")
    text = "#pragma omp parallel for\n  for (int c = 0; c < m; ++c) y[c] = x[c];"
    found = attempt(source, f"void k(float *y, const float *x, int n, int m) {{\n {text}\n}}\n")
    assert Claim.AGREES not in claims(found)


STRIDED = """__global__ void k(float *y, const float *x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i];
}
"""


def test_loops_over_the_grid() -> None:
    translation = loop(MAP, "y[i] = x[i];")
    assert claims(attempt(STRIDED, translation, law=Invariant())) == BOTH
    wrong = {
        "another stride": STRIDED.replace("i += blockDim.x * gridDim.x", "i += blockDim.x"),
        "a start that skips": STRIDED.replace("+ threadIdx.x;", "+ threadIdx.x + 1;"),
        "another bound": STRIDED.replace("i < n;", "i < n - 1;"),
        "something carried": STRIDED.replace("for (", "float t = 0; for (").replace(
            "y[i] = x[i]", "{ t += x[i]; y[i] = t; }"
        ),
    }
    for name, source in wrong.items():
        assert Claim.AGREES not in claims(attempt(source, translation, law=Invariant())), name


def test_a_launch_without_a_bound_is_bound_to_its_threads() -> None:
    source = "__global__ void k(float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = i; }\n"
    text = "void k(float *y, int n) {\n#pragma omp parallel for\nfor (int i = 0; i < n; ++i) y[i] = i;\n}\n"
    right = attempt(source, text, law=Unbounded(), arguments=("y", "gridDim.x * blockDim.x"))
    assert claims(right) == BOTH, right
    for argument in ("gridDim.x", "blockDim.x", "gridDim.x * blockDim.x - 1", "gridDim.x * blockDim.x + 1"):
        found = attempt(source, text, law=Unbounded(), arguments=("y", argument))
        assert Claim.AGREES not in claims(found), argument


@pytest.mark.parametrize("law", [Covers(x="n - 1"), Covers(x="1"), Unbounded(), Invariant()])
def test_a_launch_may_be_too_small(law: Covers | Unbounded | Invariant) -> None:
    found = attempt(kernel(MAP, "y[i] = x[i];"), loop(MAP, "y[i] = x[i];"), law=law)
    assert claims(found) == {Claim.PARALLEL}
    assert "no thread" in why(found, Claim.AGREES)


UNMODELLED = {
    "shared memory": "__shared__ float t[32]; t[threadIdx.x] = x[i]; y[i] = t[threadIdx.x];",
    "a barrier": "__syncthreads(); y[i] = x[i];",
    "an atomic": "atomicAdd(&y[i], x[i]);",
    "a shuffle": "y[i] = __shfl_down_sync(0xffffffff, x[i], 1);",
    "a cast of pointers": "((int *)y)[i] = 1;",
    "a volatile": "volatile float t = x[i]; y[i] = t;",
    "a value changed in an expression": "int j = i; y[j++] = x[i];",
    "printf": 'printf("%f", x[i]); y[i] = x[i];',
    "a structure": "float2 t; t.x = x[i]; y[i] = t.x;",
    "an aliasing reference": "float &t = y[i]; t = x[i];",
    "an unknown global": "y[i] = x[i] * scale;",
    "goto": "goto end; y[i] = x[i]; end: ;",
    "a switch": "switch (i) { case 0: y[i] = 1; break; default: y[i] = 2; }",
    "a static": "static int calls; y[i] = calls++;",
    "assembly": 'asm("nop"); y[i] = x[i];',
    "another number in the warp": "y[i] = x[i] + threadIdx.x;",
    "the block's number": "y[i] = x[i] + blockIdx.x;",
    "the clock": "y[i] = clock();",
}


@pytest.mark.parametrize("name", UNMODELLED)
def test_what_is_not_modelled_is_not_proved(name: str) -> None:
    before = "__device__ float scale;"
    body = UNMODELLED[name]
    found = attempt(kernel(MAP, body, before), loop(MAP, body))
    assert Claim.AGREES not in claims(found), found


def test_pointers_that_move_by_rows_are_not_modelled() -> None:
    parameters = "float (*y)[8], const float (*x)[8], int n"
    for body in ("y[i][3] = (*(x + i))[5];", "x += i; y[i][3] = x[0][5];"):
        found = attempt(kernel(parameters, body), loop(parameters, body))
        assert "moves by rows" in why(found, Claim.AGREES), found


def test_rows_that_meet_are_not_parallel() -> None:
    parameters = "float (*y)[8], const float (*x)[8], int n"
    body = "y[i][9] = x[i][0]; y[i][1] = 0;"
    found = attempt(kernel(parameters, body), loop(parameters, body))
    assert not claims(found), found


def test_functions_of_the_text_are_followed() -> None:
    before = "__device__ float twice(float a) { float b = a + a; return b; }"
    same = attempt(kernel(MAP, "y[i] = twice(x[i]);", before), loop(MAP, "y[i] = x[i] + x[i];"))
    assert claims(same) == BOTH, same
    other = attempt(kernel(MAP, "y[i] = twice(x[i]);", before), loop(MAP, "y[i] = x[i];"))
    assert Claim.AGREES not in claims(other)
