"""Kernels whose threads meet: where statements are cut, and where values live across the cuts."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Candidate, ShapeDependent, Unbounded
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.openmp import propose, translate_kernel
from transpile.translators.refusal import Refused


def translated(
    text: str,
    *relations: str,
    functions: dict[str, tuple[str, ...]] | None = None,
    macros: dict[str, str] | None = None,
) -> Draft:
    law = ShapeDependent(relations=relations)
    around = Surroundings(functions=functions or {}, macros=macros or {})
    return translate_kernel(textwrap.dedent(text).strip().encode(), law, around)


def kernel(statements: str, parameters: str = "float *a, int n") -> str:
    inner = textwrap.indent(textwrap.dedent(statements).strip(), "    ")
    return f"__global__ void k({parameters})\n{{\n{inner}\n}}"


def test_index_is_computed_again_on_both_sides_of_a_barrier() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            s[threadIdx.x] = a[i];
            __syncthreads();
            a[i] = s[63 - threadIdx.x];
            """)
    ).text
    assert text.count("int i = block * threads + t;") == 2
    assert "std::vector" not in text


def test_value_that_lives_across_a_barrier_gets_an_array() -> None:
    draft = translated(
        kernel("""
            __shared__ float s[64];
            float x = a[threadIdx.x];
            s[threadIdx.x] = x;
            __syncthreads();
            a[threadIdx.x] = x + s[0];
            """)
    )
    assert "std::vector<float> x(threads);" in draft.text
    assert "<vector>" in draft.headers


@pytest.mark.parametrize(
    ("given", "kind"),
    [("__shfl_down_sync(~0u, x, 1)", "float"), ("__float_as_int(x)", "int"), ("2 * x", "float")],
)
def test_a_value_whose_type_is_not_written_has_that_of_what_it_is_given(given: str, kind: str) -> None:
    text = translated(
        kernel(f"""
            __shared__ float s[32];
            float x = a[threadIdx.x];
            auto other = {given};
            x += 2;
            s[threadIdx.x] = x;
            __syncthreads();
            a[threadIdx.x] = other + s[0];
            """)
    ).text
    assert f"{kind} other[32]" in text or f"std::vector<{kind}> other(threads)" in text


def test_lanes_do_not_load_again_what_another_stretch_begins_with() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            float x = a[threadIdx.x];
            s[threadIdx.x] = x;
            __syncthreads();
            x = s[63 - threadIdx.x];
            x += __shfl_down_sync(~0u, x, 1);
            a[threadIdx.x] = x;
            """)
    ).text
    assert text.count("= a[") == 1


def test_new_parameters_stand_before_a_comment_on_the_last_one() -> None:
    statements = "__shared__ float s[64]; s[threadIdx.x] = a[threadIdx.x]; __syncthreads(); a[0] = s[1];"
    text = translated(kernel(statements, "float *a, // all of it\n    int n // its length\n")).text
    assert "int n, int threads // its length\n)" in text


def test_a_length_of_shared_memory_stands_before_it() -> None:
    text = translated(
        kernel("""
            const int width = 32;
            const int height = 2 * width;
            __shared__ float s[width + height];
            s[threadIdx.x] = a[threadIdx.x];
            __syncthreads();
            a[threadIdx.x] = s[63 - threadIdx.x];
            """)
    ).text
    assert text.index("int height = 2 * width;") < text.index("float s[width + height];")


def test_index_that_changes_is_not_computed_again() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            int i = threadIdx.x;
            s[i] = a[i];
            i += 32;
            __syncthreads();
            a[i % 64] = s[0];
            """)
    ).text
    assert "std::vector<int> i(threads)" in text


def test_uniform_early_return_leaves_the_block() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            if (blockIdx.x >= n) return;
            s[threadIdx.x] = 1;
            __syncthreads();
            a[blockIdx.x * 64 + threadIdx.x] = s[0];
            """)
    ).text
    assert "if (block >= n) continue;" in text


def test_a_return_at_the_end_of_a_kernel_leaves_nothing_behind() -> None:
    draft = translated(
        kernel("""
            __shared__ float s[64];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            s[threadIdx.x] = i;
            if (i < n) {
                __syncthreads();
                a[i] += s[0];
            }

            return; // done
            """)
    )
    assert "early-return" in draft.rules
    assert not any(word in draft.text for word in ("return", "continue;\n        }"))
    assert draft.text.count("// done") == 1


def test_a_comment_behind_the_head_of_a_loop_goes_above_it() -> None:
    text = translated(
        kernel("""
            for (int offset = blockDim.x / 2; offset > 0; offset /= 2)  // in halves
            /* and on */ {
                if (threadIdx.x < offset) a[threadIdx.x] += a[threadIdx.x + offset];
                __syncthreads();
            }
            """)
    ).text
    head = "for (int offset = threads / 2; offset > 0; offset /= 2) {"
    assert f"// in halves\n    /* and on */\n    {head}" in text


def test_threads_that_returned_stay_away_after_the_barrier() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            s[threadIdx.x] = a[i];
            __syncthreads();
            a[i] = s[0];
            """)
    ).text
    assert text.count("if (i >= n) continue;") == 2


def test_shared_atomics_are_plain_and_global_ones_are_not() -> None:
    text = translated(
        kernel(
            """
            __shared__ int c;
            if (threadIdx.x == 0) c = 0;
            __syncthreads();
            atomicAdd(&c, 1);
            __syncthreads();
            if (threadIdx.x == 0) atomicAdd(&total[0], c);
            """,
            "int *total",
        )
    ).text
    assert "c += 1;" in text
    assert "#pragma omp atomic\n        total[0] += c;" in text


def test_difference_of_unsigned_quantities_stays_unsigned() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            s[threadIdx.x] = 0;
            __syncthreads();
            if (threadIdx.x - 1 < n) a[threadIdx.x] = s[0];
            """)
    ).text
    assert "for (unsigned t = 0;" in text


def test_relations_become_preconditions() -> None:
    draft = translated(
        kernel("""
            __shared__ float s[64];
            s[threadIdx.x] = a[threadIdx.x];
            __syncthreads();
            a[threadIdx.x] = s[0];
            """),
        "blockDim.x == 64",
        "gridDim.x == 1",
    )
    assert "assert(threads == 64);" in draft.text
    assert "<cassert>" in draft.headers


def test_name_in_an_inner_scope_is_another_variable() -> None:
    text = translated(
        kernel("""
            __shared__ float s[64];
            float x = a[threadIdx.x];
            for (int k = 0; k < 2; ++k) {
                float x = k;
                s[threadIdx.x] = x;
            }
            __syncthreads();
            a[threadIdx.x] = x + s[0];
            """)
    ).text
    assert "float x = k;" in text
    assert "s[t] = x;" in text


@pytest.mark.parametrize(
    ("condition", "mask"),
    [
        ("i < n", "if (i >= n) continue;"),
        ("i < n && n > 3", "if (!(i < n && n > 3)) continue;"),
        ("x < i", "if (!(x < i)) continue;"),
    ],
)
def test_threads_that_do_not_enter_the_last_condition_return(condition: str, mask: str) -> None:
    draft = translated(
        kernel(f"""
            __shared__ float s[64];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            const float x = n;
            s[threadIdx.x] = i;
            if ({condition}) {{
                // All of them wait.
                for (int k = 0; k < n; ++k) {{
                    __syncthreads();
                    a[i] += s[k];
                }}
            }}
            // That is all.
            """)
    )
    assert "early-return" in draft.rules and mask in draft.text
    assert "for (int k = 0; k < n; ++k) {" in draft.text and "// All of them wait." in draft.text


@pytest.mark.parametrize(
    ("statements", "code"),
    [
        ("if (threadIdx.x < 5) { __syncthreads(); a[0] = 1; } a[1] = 2;", "TP201"),
        ("if (threadIdx.x < 5) { __syncthreads(); a[0] = 1; } else a[0] = 2;", "TP201"),
        ("if (threadIdx.x < 5) { int n = 1; __syncthreads(); a[0] = n; }", "TP201"),
        ("if (threadIdx.x < 5) { __syncthreads(); a[0] = __shfl_sync(~0u, n, 0); }", "TP201"),
        ("float x = a[threadIdx.x]; if (x > 0) { __syncthreads(); a[threadIdx.x] = 1; }", "TP205"),
        ("for (int i = 0; i < threadIdx.x; ++i) { __syncthreads(); a[i] = 1; }", "TP201"),
        ("for (int i = 0; i < n; ++i) { __syncthreads(); if (a[threadIdx.x] > i) break; }", "TP201"),
        ("int m = a[threadIdx.x]; if (m > 0) m = 3; while (m > 0) { __syncthreads(); m--; }", "TP201"),
        ("float x = a[threadIdx.x]; if (x > 0) return; __syncthreads(); a[threadIdx.x] = 1;", "TP205"),
        ("if (threadIdx.x >= n) { a[0] = 1; return; } __syncthreads(); a[threadIdx.x] = 1;", "TP205"),
        ("if (n > 3) { if (threadIdx.x > n) { a[0] = 1; return; } } __syncthreads(); a[0] = 1;", "TP205"),
        (
            "for (int i = 0; i < n; ++i) { if (n > 9) { a[0] = 1; return; } __syncthreads(); a[i] = 1; }",
            "TP205",
        ),
        ("__shared__ volatile float s[64]; s[threadIdx.x] = 1; __syncthreads(); a[0] = s[0];", "TP202"),
        ("a[threadIdx.x] = __match_any_sync(0xffffffff, n);", "TP209"),
        (
            "float v = n; v += __shfl_down_sync(~0u, v, 1); if (threadIdx.x % 32 == 0) a[threadIdx.y] = v;",
            "TP209",
        ),
        ("float v = n; v += __shfl_down_sync(~0u, v, 1); a[threadIdx.y] = v;", "TP209"),
        (
            "float v = n; v += __shfl_down_sync(~0u, v, 1); a[threadIdx.z * blockDim.x + threadIdx.x] = v;",
            "TP209",
        ),
        ("if (threadIdx.x % 2) a[threadIdx.x] = __shfl_down_sync(0xffffffff, n, 1);", "TP201"),
        ("__syncthreads(); a[threadIdx.x] = tex1Dfetch(t, threadIdx.x);", "TP203"),
        ("__syncthreads(); a[threadIdx.x] = cub::BlockReduce<float, 64>().Sum(a[threadIdx.x]);", "TP203"),
        ("cuda::barrier<cuda::thread_scope_block> b; __syncthreads(); b.arrive_and_wait();", "TP203"),
        ("__syncthreads(); __pipeline_commit(); a[threadIdx.x] = 1;", "TP203"),
        ("__syncthreads();\n#ifdef X\na[0] = 1;\n#endif", "TP207"),
        ("int &own = a[a[threadIdx.x]]; __syncthreads(); own = 1;", "TP211"),
    ],
)
def test_refused_patterns_are_named(statements: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        translated(kernel(statements))
    assert caught.value.code == code


def test_lanes_that_have_returned_have_no_vote() -> None:
    text = translated(
        kernel("""
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i >= n) return;
            int all = __all_sync(__activemask(), a[i] > 0);
            a[i] = all;
            """)
    ).text
    asked = text.index("if (i >= n) continue;")
    assert asked < text.index("if (!(a[i] > 0)) all = 0;") < text.index("a[i] = all;")


def test_the_largest_of_lanes_that_may_have_returned_is_refused() -> None:
    with pytest.raises(Refused, match="TP209"):
        translated(
            kernel("""
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i >= n) return;
                int most = __reduce_max_sync(__activemask(), i);
                a[i] = most;
                """)
        )


def test_what_all_threads_count_is_counted_once_in_a_block_without_barrier() -> None:
    text = translated(
        kernel("""
            int turn = 0;
            __syncthreads();
            {
                float next = a[threadIdx.x] + turn;
                a[threadIdx.x] = next;
                ++turn;
            }
            __syncthreads();
            a[threadIdx.x + n] = turn;
            """)
    ).text
    lines = [line.strip() for line in text.splitlines()]
    assert lines[lines.index("++turn;") - 1] == "}", "the loop over threads has ended"


@pytest.mark.parametrize(
    ("returns", "ends"),
    [
        ("if (mode) return v;\n    s[threadIdx.x] = v;\n    __syncthreads();\n    return s[0];", "s[0];"),
        ("s[threadIdx.x] = v;\n    __syncthreads();\n    if (mode) return s[1];\n    return s[0];", "s[0];"),
    ],
)
def test_device_function_that_returns_from_several_branches_is_inlined(returns: str, ends: str) -> None:
    helper = f"__device__ float first(float *s, float v, int mode) {{\n    {returns}\n}}"
    text = translated(
        kernel("__shared__ float s[64]; float got = first(s, a[threadIdx.x], n); a[threadIdx.x] = got;"),
        functions={"first": (helper,)},
    ).text
    assert "if (n) {" in text
    assert ends in text
    assert "first(" not in text


def test_a_barrier_behind_a_return_that_threads_take_apart_is_refused() -> None:
    helper = (
        "__device__ float first(float *s, float v) {\n    if (v > 0) return v;\n"
        "    s[threadIdx.x] = v;\n    __syncthreads();\n    return s[0];\n}"
    )
    with pytest.raises(Refused, match="TP201"):
        translated(
            kernel("__shared__ float s[64]; float got = first(s, a[threadIdx.x]); a[threadIdx.x] = got;"),
            functions={"first": (helper,)},
        )


def test_device_function_with_a_shuffle_is_inlined() -> None:
    helper = (
        "__device__ float sum(float v) {\n    for (int d = 16; d > 0; d /= 2)\n"
        "        v += __shfl_down_sync(~0u, v, d);\n"
        "    return v;\n}"
    )
    draft = translated(
        kernel("""
            float total = sum(a[threadIdx.x]);
            if (threadIdx.x % 32 == 0) a[threadIdx.x] = total;
            """),
        functions={"sum": (helper,)},
    )
    assert "total[lane] += lane + d < 32 ? total[lane + d] : total[lane];" in draft.text
    assert "assert(threads % 32 == 0);" in draft.text


def test_lanes_of_blocks_with_several_coordinates_go_by_the_place_in_the_block() -> None:
    draft = translated(
        kernel("""
            int place = threadIdx.y * blockDim.x + threadIdx.x;
            float v = threadIdx.y < n ? a[place] : 0;
            v += __shfl_xor_sync(~0u, v, 1);
            if (place < 64) a[place] = v;
            """)
    )
    assert "for (int warp = 0; warp * 32 < threads_x * threads_y; ++warp)" in draft.text
    assert "const int ty = place / threads_x;" in draft.text
    assert "place % threads_x" not in draft.text


def test_lanes_are_counted_apart_from_what_tells_them() -> None:
    shuffled = kernel("float v = a[threadIdx.x]; v = __shfl_sync(~0u, v, n); a[threadIdx.x] = v;")
    draft = translate_kernel(shuffled.encode(), Unbounded(), Surroundings(functions={}, macros={}))
    assert "(n & 31) < lanes ? v_before[(n & 31)] : v_before[lane]" in draft.text


@pytest.mark.parametrize("body", ["32", "(32)"])
def test_whole_warps_may_be_named(body: str) -> None:
    text = kernel("""
        int t = threadIdx.x;
        float v = a[t];
        if (t < WARP) v += __shfl_xor_sync(~0u, v, 1);
        a[t] = v;
        """)
    assert "if (warp * 32 < WARP)" in translated(text, macros={"WARP": f"\n{body}"}).text
    with pytest.raises(Refused):
        translated(text, macros={"WARP": "\n31"})


def test_a_comment_behind_the_last_return_is_no_statement() -> None:
    helper = (
        "__device__ int exclusive(int *s, int v) {\n    s[threadIdx.x] = v;\n    __syncthreads();\n"
        "    int sum = s[threadIdx.x / 2];\n    return sum - v;  // inclusive -> exclusive\n}"
    )
    draft = translated(
        kernel("__shared__ int s[64]; int got = exclusive(s, n); a[threadIdx.x] = got;"),
        functions={"exclusive": (helper,)},
    )
    assert "int got = sum - v;" in draft.text or "got = sum - " in draft.text


def test_cooperative_groups_become_loops_over_lanes() -> None:
    text = translated(
        kernel("""
            namespace cg = cooperative_groups;
            cg::thread_block block = cg::this_thread_block();
            cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
            int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
            float best = a[warp.thread_rank()];
            best = cg::reduce(warp, best, cg::greater<float>{});
            if (warp.thread_rank() == 0) a[row] = best;
            """)
    ).text
    assert "largest = std::fmax(largest, best[lane]);" in text
    assert "cooperative" not in text


def test_no_reserved_name_of_cuda_is_left() -> None:
    with pytest.raises(Refused) as caught:
        translated(kernel("__shared__ float s[2]; s[0] = __unheard_of(n); __syncthreads(); a[0] = s[0];"))
    assert caught.value.code == "TP203"


def test_values_that_lie_outside_a_loop_over_warps_are_judged_while_it_is_made() -> None:
    text = translated(
        kernel("""
            __shared__ float s[32];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            s[threadIdx.x % 32] = 0;
            __syncthreads();
            float v = a[i];
            v += __shfl_xor_sync(~0u, v, 1);
            a[i] = v + s[0];
            """)
    ).text
    assert "float v[32];" in text and text.count("int i = block * threads + t;") == 2


@pytest.mark.parametrize(
    ("call", "received"),
    [
        ("__shfl_xor_sync(~0u, v, 1)", "v[lane] = v_before[lane ^ 1];"),
        ("__shfl_xor_sync(~0u, v, 4, 8)", "v[lane] = v_before[lane ^ 4];"),
        # A warp takes five bits of what it is passed, and no lane of a later group.
        ("__shfl_xor_sync(~0u, v, n)", "v[lane] = v_before[lane ^ (n & 31)];"),
        (
            "__shfl_xor_sync(~0u, v, n, 8)",
            "(lane ^ (n & 31)) <= (lane | 7) ? v_before[lane ^ (n & 31)] : v_before[lane]",
        ),
        ("__shfl_up_sync(~0u, v, n)", "lane >= (n & 31) ? v[lane - (n & 31)] : v[lane]"),
    ],
)
def test_lanes_are_those_that_a_warp_reads(call: str, received: str) -> None:
    text = translated(
        kernel(f"""
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            float v = a[i];
            v = {call};
            a[i] = v;
            """)
    ).text
    assert received in text


def test_copies_of_what_lanes_held_are_declared_once() -> None:
    text = translated(
        kernel("""
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            float v = a[i];
            v += __shfl_xor_sync(~0u, v, 2);
            v += __shfl_xor_sync(~0u, v, 1);
            a[i] = v;
            """)
    ).text
    assert text.count("float v_before[32];") == 1 and text.count("std::copy_n(v, 32, v_before);") == 2


@pytest.mark.parametrize("comment", ["// threadIdx.x", "/* __shared__ t */", '// printf("%d", blockIdx.y);'])
def test_comments_say_nothing_of_threads(comment: str) -> None:
    plain = kernel("""
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        a[i] -= 1;
        """)
    commented = plain.replace("    a[i]", f"    {comment}\n    a[i]")
    found = translated(commented).text
    assert comment in found
    assert "".join(found.replace(comment, "").split()) == "".join(translated(plain).text.split())


def test_const_is_dropped_on_either_side() -> None:
    west = kernel("""
        __shared__ float s[64];
        const unsigned tid = threadIdx.x;
        const float v = a[tid];
        s[tid] = v;
        __syncthreads();
        a[tid] = s[63 - tid] + v;
        """)
    east = west.replace("const unsigned", "unsigned const").replace("const float", "float const")
    assert translated(east).text == translated(west).text
    plain = kernel("int const i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] -= 1;")
    assert "for (int i = 0;" in translated(plain).text


def test_lanes_that_do_not_enter_a_condition_return_ahead_of_what_others_pass(tmp_path: Path) -> None:
    body = """
        int lane = threadIdx.x % 8;
        int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
        if (row < n) {
            float sum = a[row * 8 + lane];
            sum += __shfl_down_sync(~0u, sum, 4);
            if (lane == 0) a[row] = sum;
        }
        """
    (tmp_path / "a.cu").write_text(kernel(body))
    source = parsers.read(tmp_path)
    found = propose(source, source.units[0], ())
    assert isinstance(found, Candidate)
    text = found.replacements[0].text.decode()
    assert "if (row >= n) continue;" in text and "sum[lane_index + 4]" in text


def test_conditions_that_are_the_same_for_a_warp_stay() -> None:
    text = translated(
        kernel("""
            int warp = threadIdx.x / 32;
            if (warp < n) {
                float sum = a[threadIdx.x];
                sum += __shfl_down_sync(~0u, sum, 4);
                a[threadIdx.x] = sum;
            }
            """)
    ).text
    assert "if (warp < n) {" in text and "continue" not in text
