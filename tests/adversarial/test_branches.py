"""Conditions that never come out one way, beside ones that only look as if they did not."""

from __future__ import annotations

import pytest

from tests.adversarial.proofs import proposal
from transpile.core import ShapeDependent, Unbounded
from transpile.testers.prove import attempt_untaken
from transpile.testers.prove.ways import Ways

pytestmark = pytest.mark.integration

BOTH = "float *y, int n, int m"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


@pytest.mark.parametrize(
    ("parameters", "body", "ways", "of"),
    [
        ("float *y, int n", "if (i >= n) return; if (i <= n) y[i] = 1;", 1, 4),
        ("float *y, int n", "if (i < n && i <= n) y[i] = 1;", 1, 4),
        ("float *y, int n", "if (i < n && i < n - 1) y[i] = 1;", 0, 4),
        (
            "float *y, int n, int m",
            "if (i < n) for (int k = 0; k < m; ++k) if (k * n + i < m * n) y[i] = k;",
            1,
            6,
        ),
        (
            "float *y, int n, int m",
            "if (i < n) for (int k = 0; k <= m; ++k) if (k * n + i < m * n) y[i] = k;",
            0,
            6,
        ),
        ("float *y, int n, long m", "if (i < n && (unsigned long)i < (n + m) * n) y[i] = 1;", 1, 4),
        ("float *y, int n, int m", "int j = i % m; if (i / m < n && j < m) y[i] = j;", 1, 4),
        ("float *y, int n, int m", "int j = (i - 1) % m; if (i / m < n && j >= 0) y[i] = j;", 0, 4),
        ("int *y, int n", "if (i < n) { if (y[i] > 3) y[i] = 3; if (y[i] > 3) y[i] = 4; }", 0, 6),
        ("float *y, int n", "if (i < n) { int k = i; while (k > 0) k -= 2; if (k > 0) y[i] = k; }", 0, 6),
    ],
    ids=[
        "implied",
        "implied in a conjunction",
        "not implied",
        "range of a loop",
        "one round too far",
        "sum converted",
        "remainder",
        "remainder of what may be negative",
        "memory",
        "after a loop",
    ],
)
def test_ways_that_no_thread_takes(parameters: str, body: str, ways: int, of: int) -> None:
    lows = {"n": 0} | ({"m": 1 if "% m" in body else 0} if " m" in parameters else {})
    kernel = f"__global__ void k({parameters}) {{ {INDEX}\n{body} }}\n"
    asked = proposal(kernel, f"void k({parameters}) {{ }}\n", lows=lows)
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None
    assert found.lines == ({0: Ways(ways, of)} if ways else {})


TABLE = """void k(int n, int t[9][9]) {
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) {
      if (j - 1 >= 0) t[i][j] = t[i][j - 1];
      if (j - 1 >= 0 && i + 1 < n) t[i][j] += t[i + 1][j - 1];
      if (j - 2 >= 0) t[i][j] += 1;
      if (j
          >= 0) t[i][j] += 1;
    }
  }
}
"""


def test_ways_that_no_iteration_of_a_function_takes() -> None:
    asked = proposal(TABLE, TABLE, lows={"n": 0}, file="k.c")
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None
    # The compiler may count a condition over two lines at either.
    assert found.lines == {-7: Ways(1, 2), -6: Ways(2, 4), -4: Ways(1, 2, 2)}


def test_conditions_in_functions_are_shared_by_their_calls() -> None:
    kernel = (
        "__device__ float f(int i) { return i > 0 ? 1 : 2; }\n__global__ void k(float *y) { y[0] = f(1); }\n"
    )
    asked = proposal(kernel, "void k(float *y) { }\n")
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None and not found.lines


@pytest.mark.parametrize(
    ("relations", "guard", "never"),
    [
        (("gridDim.x == m", "blockDim.x == 64"), "row >= m", True),
        (("gridDim.x == m",), "row >= m", True),
        (("gridDim.x == m", "blockDim.x == 64"), "threadIdx.x >= 64", True),
        (("gridDim.x == m", "blockDim.x == 64"), "threadIdx.x >= 63", False),
        (("gridDim.x == m", "blockDim.x == 64"), "row >= m - 1", False),
        (("gridDim.x == m", "blockDim.x == 64"), "row >= n", False),
        (("gridDim.x <= m", "blockDim.x == 64"), "threadIdx.x >= blockDim.x + (row >= m)", True),
        (("gridDim.x == m + 1", "blockDim.x == 64"), "row >= m", False),
        (("gridDim.x == (n + 63) / 64", "blockDim.x == 64"), "row * 64 >= n", True),
        (("gridDim.x == (n + 63) / 64", "blockDim.x == 64"), "row * 64 + threadIdx.x >= n", False),
        (("gridDim.x == n / 64", "blockDim.x == 64"), "row * 64 + threadIdx.x >= n", True),
        (("gridDim.x == n / m", "blockDim.x == 64"), "row >= n", False),
        (("gridDim.x == 2 * m", "blockDim.x == 64"), "row >= m", False),
        (("gridDim.y == m", "blockDim.x == 64"), "row >= m", False),
    ],
)
def test_a_guard_that_every_launch_meets_is_taken_one_way(
    relations: tuple[str, ...], guard: str, never: bool
) -> None:
    kernel = f"""__global__
void k(float *y, int n, int m) {{
  __shared__ float part[64];
  int row = blockIdx.x;
  if ({guard}) return;
  part[threadIdx.x % 64] = n;
  __syncthreads();
  y[row] = part[0];
}}
"""
    law = ShapeDependent(relations=relations, launches=(("m", "1", "1", "64", "1", "1", "0"),))
    asked = proposal(kernel, "void k(float *y, int n, int m) { }\n", law=law, lows={"n": 0, "m": 0})
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None
    assert found.lines == ({-4: Ways(1, 2)} if never else {})


def test_a_parameter_that_changes_is_no_number_of_blocks() -> None:
    kernel = """__global__ void k(float *y, int n, int m) {
  __shared__ float part[64];
  m -= 1;
  if (blockIdx.x >= m) return;
  y[blockIdx.x] = n;
}
"""
    law = ShapeDependent(relations=("gridDim.x == m",), launches=(("m", "1", "1", "64", "1", "1", "0"),))
    asked = proposal(kernel, "void k(float *y, int n, int m) { }\n", law=law, lows={"n": 0, "m": 0})
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None and found.lines == {}


@pytest.mark.parametrize(
    ("first", "guard", "never"),
    [
        ("blockIdx.x * blockDim.x + threadIdx.x + 1", "i > 0 && i < n", 1),
        ("blockIdx.x * blockDim.x + threadIdx.x", "i > 0 && i < n", 0),
        ("blockIdx.x * blockDim.x + threadIdx.x + m", "i > 0 && i < n", 0),
        ("2 * blockIdx.x * blockDim.x + threadIdx.x + 1", "i > 0 && i < n", 0),
    ],
)
def test_no_index_wraps_where_a_launch_has_few_threads(first: str, guard: str, never: int) -> None:
    kernel = f"""__global__ void k(float *y, int n, int m) {{
  __shared__ float part[64];
  int i = {first};
  if ({guard})
    part[threadIdx.x % 64] = n;
  __syncthreads();
  y[blockIdx.x] = part[0];
}}
"""
    asked = proposal(kernel, "void k(float *y, int n, int m) { }\n", law=Unbounded(), lows={"n": 0, "m": 0})
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None
    assert found.lines == ({-4: Ways(never, 4)} if never else {})
    assert ("a launch has fewer than 2^31 threads" in found.assumed) == bool(never)


def test_a_condition_over_several_lines_is_one() -> None:
    kernel = """__global__ void k(float *y, int n) {
  __shared__ float part[64];
  int i = threadIdx.x + 1;
  if (i > 0 &&
      i < blockDim.x + 1 && (n > 3 ||
                             i < 2))
    part[i % 64] = n;
  __syncthreads();
  y[blockIdx.x] = part[0];
}
"""
    asked = proposal(kernel, "void k(float *y, int n) { }\n", law=Unbounded(), lows={"n": 0})
    found = attempt_untaken(asked.source, asked.proposal, asked.contract)
    assert found is not None
    assert found.lines == {-6: Ways(2, 8, 3)}
