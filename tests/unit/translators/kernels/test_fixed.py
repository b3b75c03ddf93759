"""Kernels with a single launch: what its loops are, and that digits are what the launch's expressions are."""

from __future__ import annotations

import pytest

from transpile.code.syntax import find, parse
from transpile.core import LaunchLaw, ShapeDependent, Unbounded
from transpile.translators.kernels.digits import Digits, Launch, strides, written
from transpile.translators.kernels.draft import Draft, Surroundings
from transpile.translators.kernels.openmp import translate_kernel

B, T = "((int)blockIdx.x)", "((int)threadIdx.x)"


def only(blocks: int, threads: int) -> ShapeDependent:
    return ShapeDependent(
        relations=(f"gridDim.x == {blocks}", f"blockDim.x == {threads}"),
        launches=((str(blocks), "1", "1", str(threads), "1", "1", "0"),),
    )


def translated(statements: str, law: LaunchLaw) -> Draft:
    text = f"__global__ void k(float *x, const float *y) {{\n  {statements}\n}}"
    return translate_kernel(text.encode(), law, Surroundings())


def lines(draft: Draft) -> list[str]:
    return [line.strip() for line in draft.text.splitlines()[1:-1]]


def test_the_number_of_a_thread_is_counted_by_one_loop() -> None:
    draft = translated(f"x[{B} * 34 + {T}] = y[{B} * 34 + {T}];", only(9, 34))
    assert lines(draft) == [
        "assert(blocks == 9 && threads == 34);",
        "#pragma omp simd",
        "for (int i = 0; i < 306; ++i) {",
        "x[i] = y[i];",
        "}",
    ]
    assert draft.extra == (("int blocks", "gridDim.x"), ("int threads", "blockDim.x"))
    assert not draft.parallel


def test_quotients_and_remainders_are_loops_of_their_own() -> None:
    text = translated(f"x[{B} * 64 + {T}] = y[{T} % 8 * 6 + ({B} * 8 + ({T} >> 3)) % 3];", only(6, 64)).text
    assert [part.split(";")[1] for part in text.split("for (")[1:]] == [" i0 < 16", " i1 < 3", " i2 < 8"]
    assert "x[(i0 * 24 + i1 * 8 + i2)] = y[(i2 * 6) + i1];" in text


def test_a_guard_over_everything_is_where_the_loop_ends() -> None:
    text = translated(f"if (({B} * 8 + ({T} >> 3)) < 13) {{ x[{B} * 64 + {T}] = 1; }}", only(2, 64)).text
    assert "i < 104" in text and "if" not in text


def test_one_guard_of_all_effects_is_where_the_loop_ends() -> None:
    guard, place = f"if (({B} * 8 + ({T} >> 3)) < 13)", f"x[{B} * 64 + {T}]"
    loop = f"for (int k = 0; k < 9; ++k) {{ {guard} {{ {place} += s; }} }}"
    text = translated(f"float s = 1; {guard} {{ {place} = 1; }} {loop}", only(2, 64)).text
    assert "i < 104" in text and "if" not in text
    assert "for (int k = 0; k < 9; ++k) { x[i] += s; }" in text


@pytest.mark.parametrize(
    "other",
    [
        f"x[{B} * 64 + {T} + 200] = 2;",
        f"if (({B} * 8 + ({T} >> 3)) < 14) {{ x[{B} * 64 + {T} + 200] = 2; }}",
        f"for (int k = 0; k < 9; ++k) {{ x[{B} * 64 + {T} + 200] += 2; }}",
        f"if (({B} * 8 + ({T} >> 3)) < 13) {{ x[0] = 1; }} else {{ x[{B} * 64 + {T} + 200] = 2; }}",
    ],
)
def test_what_is_done_outside_of_a_guard_is_done_by_all_threads(other: str) -> None:
    guarded = f"if (({B} * 8 + ({T} >> 3)) < 13) {{ x[{B} * 64 + {T}] = 1; }}"
    text = translated(f"{guarded} {other}", only(2, 64)).text
    assert "if (" in text and "i < 104" not in text


def test_much_work_is_shared_out() -> None:
    draft = translated(f"x[{B} * 256 + {T}] = sinf(y[{B} * 256 + {T}]);", only(256, 256))
    assert draft.parallel
    assert "#pragma omp parallel for simd" in draft.text


@pytest.mark.parametrize(
    ("statements", "law"),
    [
        (f"x[{B} * 34 + {T}] = 1;", Unbounded()),
        ("x[blockIdx.x * 34 + threadIdx.x] = 1;", only(9, 34)),  # Unsigned: differences would be others.
        (f"if ({T} > 4) return; x[{B} * 34 + {T}] = 1;", only(9, 34)),
        (f"atomicAdd(&x[{B}], y[{T}]);", only(9, 34)),
        (f"x[{B} * 34 + {T}] = gridDim.x;", only(9, 34)),
    ],
)
def test_what_one_launch_does_not_explain_is_left_to_other_rules(statements: str, law: LaunchLaw) -> None:
    assert "fixed-launch" not in translated(statements, law).rules


LAUNCH = Launch(6, 48)


def digits(expression: str) -> Digits | None:
    """Return the digits of an expression in which B and T stand for the indices of block and thread."""
    code = expression.replace("B", "blockIdx.x").replace("T", "threadIdx.x")
    [declared] = find(parse(f"void f() {{ int v = {code}; }}"), "init_declarator")
    value = declared.child_by_field_name("value")
    assert value is not None
    return LAUNCH.digits(value)


@pytest.mark.parametrize(
    "expression",
    [
        "B * 48 + T", "T", "B", "B * 96 + T * 2", "B * 12 + (T >> 2)", "T & 15", "T % 12", "T / 12", "B % 3",
        "(B * 3 + T) % 5", "(B * 3 + T) % 9", "((B * 12 + (T >> 2)) % 36) / 12", "(B * 6 + (T >> 3)) / 9",
        "(B * 24 + (T >> 1)) & 7", "(B * 48 + T) / 5 % 4", "T * 3",
        "((B % 3) * 2 + (T / 24)) / 3", "T % 12 + (T / 12 % 2) * 12", "(B % 2) * 96 + T * 2",
    ],
)  # fmt: skip
def test_digits_are_what_the_expression_is(expression: str) -> None:
    found = digits(expression)
    assert found is not None
    counted = strides([found], LAUNCH.total)
    for number in range(LAUNCH.total):
        place = eval(expression.replace("/", "//"), {"B": number // 48, "T": number % 48})
        assert place == number // found.stride % (found.modulus or LAUNCH.total) * found.factor
        if counted is not None:
            ends = (LAUNCH.total, *counted)
            known = {f"c{s}": number % end // s for end, s in zip(ends, counted, strict=False)}
            assert place == eval(written(found, [(f"c{stride}", stride) for stride in counted]), known)


@pytest.mark.parametrize(
    "expression",
    [
        "B * 7 + T", "(T >> 5) + B", "T % 7", "(B * 2) % 3", "B * 48 - T", "T * 3 % 4", "B * 12 + (T >> 3)",
        "B % 2 + T % 2", "T % 12 * 2 + B % 2",
    ],
)  # fmt: skip
def test_what_is_no_digits_is_not_taken_for_some(expression: str) -> None:
    assert digits(expression) is None


def test_strides_that_do_not_divide_one_another_are_no_loops() -> None:
    text = translated(f"x[{B} * 48 + {T}] = y[{T} % 3 + {T} % 4];", only(6, 48)).text
    assert [part.split(";")[1] for part in text.split("for (")[1:]] == [" i0 < 6", " i1 < 48"]
    assert "x[((int)i0) * 48 + ((int)i1)] = y[((int)i1) % 3 + ((int)i1) % 4];" in text
