from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile.code.trees import parse
from transpile.testers.mutation.operators import mutations, sampled


def changes(body: str, parameters: str = "float *a, int n") -> set[tuple[str, str, str]]:
    text = f"__global__ void k({parameters})\n{{\n    {body}\n}}\n".encode()
    return {(item.operator, item.before, item.after) for item in mutations(text)}


@pytest.mark.parametrize(
    ("body", "operator", "before", "after"),
    [
        ("if (i < n) a[i] = 0;", "boundary", "<", "<="),
        ("if (i < n) a[i] = 0;", "relational", "<", ">="),
        ("if (i < n) a[i] = 0;", "condition", "i < n", "true"),
        ("if (i < n) a[i] = 0;", "dropped statement", "a[i] = 0;", ";"),
        ("a[i] = b + c;", "arithmetic", "+", "-"),
        ("a[i] = b / c;", "swapped operands", "b / c", "(c) / (b)"),
        ("a[i] = b << c;", "bitwise", "<<", ">>"),
        ("a[i] = b && c;", "logical", "&&", "||"),
        ("a[i] += b;", "assignment", "+=", "-="),
        ("a[i] += b;", "assignment", "+=", "="),
        ("a[i] = -b;", "sign", "-", "+"),
        ("a[i] = b;", "index", "i", "(i) + 1"),
        ("a[i] = b;", "index", "i", "(i) - 1"),
        ("a[i] = 3;", "constant", "3", "(3 + 1)"),
        ("for (int j = 0; j < n; j++) s += a[j];", "constant", "0", "(0 + 1)"),
        ("__syncthreads();", "dropped barrier", "__syncthreads();", ";"),
        ("block.sync();", "dropped barrier", "block.sync();", ";"),
        ("atomicAdd(&a[i], b);", "dropped atomic", "atomicAdd(&a[i], b);", "*(&a[i]) += b;"),
        ("if (i >= n) return;", "dropped exit", "return;", ";"),
        ("while (true) { if (i > n) break; }", "dropped exit", "break;", ";"),
        ("double t = b;", "narrower type", "double", "float"),
        ("size_t t = b;", "narrower type", "size_t", "unsigned"),
        ("a[i] = (double)b;", "narrower type", "double", "float"),
        ("a[i] = fmaxf(b, c);", "function", "fmaxf", "fminf"),
        ("int i = threadIdx.x;", "axis", "x", "y"),
    ],
)
def test_every_operator_plants_its_fault(body: str, operator: str, before: str, after: str) -> None:
    assert (operator, before, after) in changes(body)


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("__shared__ float t[16];", "16"),
        ("float t[4 * 4];", "*"),
        ("k2<32>(a);", "32"),
        ("switch (n) { case 3: a[0] = b; }", "3"),
        ("double *p = q;", "double"),
        ("__shared__ double t;", "double"),
        ("assert(n > 0);", ">"),
        ('printf("%d", n + 1);', "+"),
        ("for (int j = 0; j < n; j++) ;", "++"),
    ],
)
def test_what_would_not_compile_or_never_show_is_left_alone(body: str, before: str) -> None:
    assert before not in {found for _, found, _ in changes(body)}


def test_a_line_is_counted_from_the_text_s_beginning() -> None:
    [found] = [
        item
        for item in mutations(b"void f(int n)\n{\n\n    if (n)\n        return;\n}\n")
        if item.after == ";"
    ]
    assert (found.line, found.before) == (4, "return;")


EXAMPLES = sorted((Path(__file__).parents[3] / "cases" / "gallery").rglob("*.cu"))


@pytest.mark.parametrize("path", EXAMPLES[:12], ids=lambda path: path.stem)
def test_faults_are_different_texts_that_parse_as_well_as_the_source(path: Path) -> None:
    data = path.read_bytes()
    found = mutations(data)
    assert found
    assert len({item.text for item in found} | {data}) == len(found) + 1
    if not parse(data).root_node.has_error:
        assert [item for item in found if parse(item.text).root_node.has_error] == []


@given(st.integers(0, 40))
def test_a_sample_keeps_the_order_and_is_the_same_every_time(most: int) -> None:
    found = mutations(b"void f(int *a, int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1] * 3 + i / 2; }")
    chosen = sampled(found, most)
    assert len(chosen) == min(most, len(found))
    assert list(chosen) == [item for item in found if item in chosen]
    assert set(sampled(found, max(most - 1, 0))) <= set(chosen)
