"""Kernels whose threads never meet: guards, strides, launch laws, and the traps between them."""

from __future__ import annotations

import textwrap

import pytest

from transpile.core import Covers, Invariant, LaunchLaw, ShapeDependent, Unbounded
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.openmp import translate_kernel

COVERS = Covers(x="n")


def translated(text: str, law: LaunchLaw = COVERS, around: Surroundings | None = None) -> Draft:
    return translate_kernel(textwrap.dedent(text).strip().encode(), law, around or Surroundings())


def body(text: str, law: LaunchLaw = COVERS) -> str:
    return translated(text, law).text


GUARDED = """
__global__ void k(int n, float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2 * x[i];
}
"""


def test_guard_becomes_the_bound_where_launches_cover_it() -> None:
    assert body(GUARDED) == textwrap.dedent("""\
        void k(int n, float *x)
        {
            #pragma omp parallel for
            for (int i = 0; i < n; ++i) {
                x[i] = 2 * x[i];
            }
        }""")


@pytest.mark.parametrize("law", [Unbounded(), ShapeDependent()])
def test_guard_stays_as_minimum_where_launches_need_not_cover_it(law: LaunchLaw) -> None:
    draft = translated(GUARDED, law)
    assert "i < std::min<int>(n, threads)" in draft.text
    assert draft.extra == (("int threads", "gridDim.x * blockDim.x"),)
    assert "<algorithm>" in draft.headers


@pytest.mark.parametrize(
    ("index", "size", "bound"),
    [
        ("int", "int", "i < n - skip; ++i"),
        # Compared with an unsigned number, a difference below 0 would be four billion.
        ("unsigned int", "int", "i < std::max(n - skip, 0); ++i"),
        ("int", "size_t", "i < std::max<long long>((long long)n - skip, 0); ++i"),
    ],
)
def test_no_thread_is_needed_where_a_difference_of_sizes_is_below_0(
    index: str, size: str, bound: str
) -> None:
    text = f"""
        __global__ void k({size} n, int skip, float *x, const float *y) {{
            {index} i = blockIdx.x * blockDim.x + threadIdx.x;
            {index} from = i + skip;
            if (from < n) x[i] = y[from];
        }}
        """
    assert bound in body(text, Covers(x="n - skip"))


def test_early_return_of_two_axes_becomes_two_loops() -> None:
    text = body("""
        __global__ void k(float *a, int w, int h) {
            int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y + blockDim.y * blockIdx.y;
            if (x >= w || y >= h) return;
            a[y * w + x] = 0;
        }
        """)
    assert "collapse(2)" in text
    assert text.index("for (int y = 0; y < h; ++y)") < text.index("for (int x = 0; x < w; ++x)")
    assert "return" not in text


def test_rest_of_a_guard_stays_a_condition() -> None:
    text = body("""
        __global__ void k(float *a, const float *b, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n && b[i] > 0) a[i] = b[i];
        }
        """)
    assert "i < n; ++i" in text
    assert "if (b[i] > 0)" in text


def test_rest_of_an_early_return_becomes_continue() -> None:
    text = body("""
        __global__ void k(float *a, int n, int lo) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n || i < lo) return;
            a[i] = 1;
        }
        """)
    assert "if (i < lo) continue;" in text


def test_write_before_the_guard_keeps_every_thread() -> None:
    draft = translated(
        """
        __global__ void k(float *a, float *b, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            a[i] = 0;
            if (i < n) b[i] = 1;
        }
        """,
        Unbounded(),
    )
    assert "i < threads" in draft.text
    assert "if (i < n)" in draft.text


def test_what_turns_out_to_be_the_index_goes_wherever_it_is_declared() -> None:
    text = body(
        """
        __global__ void k(double *p, int width, int height)
        {
            int j = blockIdx.x * blockDim.x + threadIdx.x;
            if (j < height) p[width * j] = 0;
            int i = j;
            if (i > 0 && i < width) {
                int first = width * 0 + i;
                int second = width * 1 + i;
                p[first] = p[second];
            }
        }
        """,
        Unbounded(),
    )
    assert text.splitlines()[5:-2] == [
        "        if (j > 0 && j < width) {",
        "            int second = width * 1 + j;",
        "            p[j] = p[second];",
        "        }",
    ]


def test_different_guards_are_not_mistaken_for_one() -> None:
    text = body(
        """
        __global__ void k(float *a, float *b, int n, int m) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) a[i] = 0;
            if (i < m) b[i] = 0;
        }
        """,
        Covers(x="max(n, m)"),
    )
    assert "i < max(n, m)" in text
    assert "if (i < n)" in text
    assert "if (i < m)" in text


def test_guard_that_is_not_uniform_is_no_bound() -> None:
    text = body("""
        __global__ void k(float *a, const int *size, int n) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < size[0]) a[i] = 0;
        }
        """)
    assert "if (i < size[0])" in text


def test_grid_stride_loop_becomes_plain() -> None:
    draft = translated(
        """
        __global__ void k(float *a, long n) {
            int stride = gridDim.x * blockDim.x;
            for (long i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += stride) a[i] += 1;
        }
        """,
        Invariant(),
    )
    assert "for (long i = 0; i < n; ++i)" in draft.text
    assert "stride" not in draft.text
    assert not draft.extra


def test_while_form_of_a_grid_stride_loop() -> None:
    text = body(
        """
        __global__ void k(float *a, int n) {
            int tid = threadIdx.x + blockIdx.x * blockDim.x;
            while (tid < n) {
                a[tid] = tid;
                tid += blockDim.x * gridDim.x;
            }
        }
        """,
        Invariant(),
    )
    assert "for (int tid = 0; tid < n; ++tid)" in text
    assert "while" not in text


def test_continue_in_the_while_form_is_not_rewritten() -> None:
    text = body(
        """
        __global__ void k(float *a, int n) {
            int i = threadIdx.x + blockIdx.x * blockDim.x;
            while (i < n) {
                if (a[i] < 0) { a[i] = 0; i += 1; continue; }
                i += blockDim.x * gridDim.x;
            }
        }
        """,
        Invariant(),
    )
    assert "while (i < n)" in text


def test_value_carried_from_turn_to_turn_keeps_the_threads() -> None:
    draft = translated(
        """
        __global__ void k(const float *a, float *sum, int n) {
            float mine = 0;
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
                mine = mine / 2 + a[i];
            atomicAdd(sum, mine);
        }
        """,
        Invariant(),
    )
    assert draft.extra == (("int threads", "gridDim.x * blockDim.x"),)
    assert "#pragma omp atomic" in draft.text


def test_temporary_of_the_function_moves_into_the_loop() -> None:
    text = body(
        """
        __global__ void k(float *a, int n) {
            float t;
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
                t = a[i] * 2;
                a[i] = t + 1;
            }
        }
        """,
        Invariant(),
    )
    assert "float t = a[i] * 2;" in text


@pytest.mark.parametrize("beside", ["", ", unit = 3"])
def test_temporary_of_several_strided_loops_is_declared_once(beside: str) -> None:
    text = body(
        f"""
        __global__ void k(int n, int m, int *a) {{
            int twice = 0{beside};
            for (int i = threadIdx.y + blockDim.y * blockIdx.y; i < n; i += gridDim.y * blockDim.y)
                for (int j = threadIdx.x + blockDim.x * blockIdx.x; j < m; j += gridDim.x * blockDim.x) {{
                    twice = 2 * a[i * m + j];
                    a[i * m + j] = twice{beside and " + unit"};
                }}
        }}
        """
    )
    assert "collapse(2)" in text and text.count("int twice = 2 *") == 1 and "int int" not in text
    assert ("int twice = 0, unit = 3;" in text) == bool(beside)


def test_index_that_is_changed_later_is_a_copy() -> None:
    text = body("""
        __global__ void k(float *a, int n, int w) {
            int id = blockIdx.x * blockDim.x + threadIdx.x;
            if (id >= n) return;
            int x = id % w;
            id /= w;
            a[id * w + x] = 0;
        }
        """)
    assert "for (int i = 0; i < n; ++i)" in text
    assert "int id = i;" in text


def test_changed_parameter_is_each_threads_own() -> None:
    text = body("""
        __global__ void k(float *a, int n, int w) {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < n) {
                a += i * w;
                a[0] = 1;
            }
        }
        """)
    assert "float *my_a = a" in text
    assert "my_a[0] = 1" in text


def test_declared_type_of_the_index_is_kept() -> None:
    assert "for (unsigned int i = 0; i < n; ++i)" in body(GUARDED.replace("int i =", "unsigned int i ="))


def test_name_of_the_index_avoids_what_is_taken() -> None:
    text = body("""
        __global__ void k(float *i, int n) {
            if (blockIdx.x * blockDim.x + threadIdx.x < n) i[blockIdx.x * blockDim.x + threadIdx.x] = 0;
        }
        """)
    assert "for (int index = 0; index < n; ++index)" in text


def test_joint_index_of_two_axes_is_one_loop() -> None:
    text = body(
        """
        __global__ void k(float *x, int n) {
            int i = (blockIdx.x + blockIdx.y * gridDim.x) * blockDim.x + threadIdx.x;
            if (i < n) x[i] = 0;
        }
        """,
        Covers(x="n", joint=True),
    )
    assert "for (int i = 0; i < n; ++i)" in text


def test_macro_that_hides_the_launch_is_expanded() -> None:
    around = Surroundings(macros={"GLOBAL_ID": "\n(blockIdx.x * blockDim.x + threadIdx.x)"})
    draft = translated(
        "__global__ void k(float *x, int n)\n{\n    int i = GLOBAL_ID;\n    if (i < n) x[i] = 0;\n}",
        around=around,
    )
    assert "for (int i = 0; i < n; ++i)" in draft.text


@pytest.mark.parametrize(("kind", "own"), [("const Box &", False), ("Box const &", False), ("Box &", True)])
def test_a_parameter_is_its_own_where_a_callee_may_change_it(kind: str, own: bool) -> None:
    around = Surroundings(
        functions={"area": (f"__device__ int area({kind}box) {{ return box.w * box.h; }}",)}
    )
    draft = translated(
        "__global__ void k(Box box, int *x)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i >= box.n) return;\n    x[i] = area(box);\n}",
        Covers(x="box.n"),
        around=around,
    )
    assert ("my_box" in draft.text) is own
    assert ("i < box.n" in draft.text and "continue" not in draft.text) is not own


def test_what_defines_a_macro_is_not_expanded() -> None:
    own = "#define SWAP(i, j) \\\n    sort(y[i], y[j])\n"
    draft = translated(
        f"__global__ void k(float *y, int n)\n{{\n{own}    int t = threadIdx.x;\n"
        "    if (t < n) { SWAP(t, t + 1); }\n#undef SWAP\n}",
        around=Surroundings(macros={"SWAP": "(i, j)\nsort(y[i], y[j])"}),
    )
    assert " ".join(own.split()) in " ".join(draft.text.split())
    assert "#undef SWAP" in draft.text


def test_work_of_one_thread_needs_no_loop() -> None:
    draft = translated(
        """
        __global__ void k(float *x) {
            if (threadIdx.x == 0 && blockIdx.x == 0) x[0] = 1;
        }
        """,
        Invariant(),
    )
    assert "for" not in draft.text
    assert not draft.extra


def test_bytes_that_are_not_utf8_survive() -> None:
    text = GUARDED.strip().replace("if (i", "/* \xe9 */ if (i")
    assert "\xe9" in translate_kernel(text.encode("latin-1"), COVERS, Surroundings()).text


def test_sum_over_a_grid_stride_loop_is_a_reduction() -> None:
    draft = translated(
        """
        __global__ void k(const float *a, float *total, int n)
        {
            float mine = 0.0f;
            for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
                mine += a[i];
            atomicAdd(&total[0], mine);
        }
        """,
        Invariant(),
    )
    assert "#pragma omp parallel for reduction(+ : mine)\n    for (int i = 0; i < n; ++i)" in draft.text
    assert "total[0] += mine;" in draft.text
    assert not draft.extra


@pytest.mark.parametrize(
    ("store", "atomic"),
    [
        ("*flag = 1;", True),
        ("flag[index[i]] = 1;", True),
        ("flag[known[i]] = 1;", False),
        ("flag[i] = 1;", False),
        ("flag[2 * i + 1] = index[i];", False),
    ],
)
def test_stores_that_may_meet_are_atomic(store: str, atomic: bool) -> None:
    text = (
        "__global__ void k(int *flag, const int *index, const int *known, int n)\n{\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {{\n        {store}\n    }}\n}}"
    )
    result = translate_kernel(text.encode(), COVERS, Surroundings(), frozenset({"known"})).text
    assert ("#pragma omp atomic write" in result) == atomic


def test_a_launch_that_a_scalar_tells_needs_no_parameter() -> None:
    text = """
        __global__ void k(int n, float *x)
        {
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            int j = blockIdx.y * blockDim.y + threadIdx.y;
            x[j * n + i] = 2;
        }
        """
    law = ShapeDependent(relations=("gridDim.x * blockDim.x == n",))
    draft = translated(text, law)
    assert draft.extra == (("int ny", "gridDim.y * blockDim.y"),)
    assert "for (int i = 0; i < n; ++i)" in draft.text
