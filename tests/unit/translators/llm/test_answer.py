"""Answers of models: the code in them, or what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transpile import parsers
from transpile.core import (
    CPP,
    CUDA,
    OPENMP,
    Binding,
    ByModel,
    Candidate,
    Dialect,
    Rejected,
    Replacement,
    Source,
)
from transpile.translators.llm.answer import MOST, candidates_of, fingerprint
from transpile.translators.llm.blocks import written
from transpile.translators.llm.form import form_of, form_of_candidate

KERNEL = """
__device__ float twice(float x) { return 2 * x; }
__global__ void scale(float *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = twice(in[i]);
}
"""
GOOD = """void scale(float *out, const float *in, int n)
{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) out[i] = twice(in[i]);
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("source")
    (root / "scale.cu").write_text(KERNEL)
    return parsers.read(root)


def read(source: Source, answer: str, target: Dialect = OPENMP) -> Candidate | Rejected:
    """Return what an answer about the kernel gives."""
    unit = next(unit for unit in source.units if unit.name == "scale")
    form = form_of(unit, (), target)
    assert form is not None
    return candidates_of(source, unit, form, target, answer, ByModel(model="test"))[0]


def said(found: Candidate | Rejected) -> str:
    assert isinstance(found, Rejected)
    return found.diagnostics[0].message


def fenced(code: str, language: str = "cpp") -> str:
    return f"Here you are:\n\n```{language}\n{code}\n```\n"


def own(found: Candidate | Rejected) -> str:
    assert isinstance(found, Candidate)
    return found.replacements[0].text.decode()


@pytest.mark.parametrize(
    "answer",
    [
        fenced(GOOD),
        GOOD,
        fenced(GOOD, "") + "I hope that this helps.",
        fenced("void other() {}") + fenced(GOOD),
        "~~~c++\n" + GOOD + "~~~",
        fenced(GOOD + "int main() { return 0; }"),
        fenced('extern "C" {\n' + GOOD + "}"),
        fenced('extern "C" ' + GOOD),
        fenced("#include <cmath>\n" + GOOD),
        "```cpp\n" + GOOD,
    ],
    ids=["fence", "bare", "prose", "two", "tildes", "main", "linkage", "linked", "header", "unclosed"],
)
def test_code_is_found(source: Source, answer: str) -> None:
    assert own(read(source, answer)).strip() == GOOD.strip()


@pytest.mark.parametrize(
    "before", ["// wie üblich: é, →\n", "// half a pair: \ud800\n"], ids=["text", "surrogate"]
)
@pytest.mark.parametrize("fence", ["```cpp\n", "Voilà:\n```cpp\n", ""], ids=["fence", "prose", "bare"])
def test_text_that_is_not_ascii_moves_nothing(source: Source, before: str, fence: str) -> None:
    code = GOOD.replace("{\n", "{\n    // für jedes é\n", 1)
    assert own(read(source, fence + before + code)).strip() == (before.replace("\ud800", "?") + code).strip()


def test_headers_are_noted(source: Source) -> None:
    found = read(source, fenced("#include <cmath>\n#include <omp.h>\n" + GOOD))
    assert isinstance(found, Candidate)
    assert found.headers == ("<cmath>", "<omp.h>")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("I would be happy to help you!", "no code"),
        ("", "no code"),
        (fenced("void scaled(float *out) {}"), "it defines scaled, and not `scale`"),
        (fenced(GOOD.replace("int n)", "int n, int blocks)")), "is declared"),
        (fenced(GOOD.replace("float *out", "double *out")), "is declared"),
        (fenced('#include "/etc/passwd"\n' + GOOD), "it includes"),
        (fenced("#include </etc/passwd>\n" + GOOD), "it includes"),
        (fenced("__global__ void kernel() {}\n" + GOOD), "__global__"),
        (fenced("//" + "x" * MOST + "\n" + GOOD), "characters of code"),
    ],
)
def test_what_is_wrong_is_said(source: Source, answer: str, why: str) -> None:
    assert why in said(read(source, answer))


def test_plain_code_has_no_openmp(source: Source) -> None:
    assert "plain sequential" in said(read(source, fenced(GOOD), CPP))
    sequential = GOOD.replace("    #pragma omp parallel for\n", "")
    found = read(source, fenced(sequential), CPP)
    assert isinstance(found, Candidate)
    assert not found.parallel


@pytest.mark.parametrize(
    "head",
    [
        "void scale(float* result, float const * values, const int count)",
        "void scale(float out[], const float *in, int n)",
        "void scale(float *__restrict__ out, const float *in, int n)",
        "static inline void scale(float *out, const float *in, int n)",
    ],
)
def test_heads_that_are_called_alike_are_alike(source: Source, head: str) -> None:
    assert isinstance(read(source, fenced(head + " {}")), Candidate)


def test_linkage_is_that_of_the_source(source: Source) -> None:
    assert own(read(source, fenced("static " + GOOD))).startswith("void scale")


def test_device_functions_are_translated_by_rules(source: Source) -> None:
    found = read(source, fenced(GOOD))
    assert isinstance(found, Candidate)
    assert [item.text for item in found.replacements[1:]] == [b"float twice(float x) { return 2 * x; }"]


def test_device_functions_may_be_written_again(source: Source) -> None:
    found = read(source, fenced("float twice(float x) { return x + x; }\n" + GOOD))
    assert own(found).strip() == GOOD.strip()
    assert isinstance(found, Candidate)
    assert [item.text for item in found.replacements[1:]] == [b"float twice(float x) { return x + x; }"]


def test_layout_makes_no_other_candidate(source: Source) -> None:
    first, second = read(source, fenced(GOOD)), read(source, fenced("// fast\n" + GOOD.replace("    ", "\t")))
    third = read(source, fenced(GOOD.replace("++i", "i++")))
    assert isinstance(first, Candidate) and isinstance(second, Candidate) and isinstance(third, Candidate)
    assert fingerprint(first) == fingerprint(second) != fingerprint(third)


def test_a_text_that_is_no_code_without_its_directives_is_none() -> None:
    assert isinstance(written(f"#include <>0{GOOD}", "scale", device=False), str)


PIECES = [*"`~#{}()<>*;:=,\"'\n\\ \tx0é", "```", "scale", "void ", "#include <", "main(", GOOD[:42], GOOD]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_answer_is_too_strange(source: Source, answer: str) -> None:
    for target in (OPENMP, CPP, CUDA):
        assert isinstance(read(source, answer, target), Candidate | Rejected)


def kept(source: Source, text: str = GOOD, *callees: str) -> Candidate:
    """Return a translation with a binding that no answer could give it."""
    units = {unit.name: unit.id for unit in source.units}
    return Candidate(
        unit=units["scale"],
        replacements=(
            Replacement(unit=units["scale"], text=text.encode(), same_signature=True),
            *(Replacement(unit=units["twice"], text=item.encode(), same_signature=True) for item in callees),
        ),
        binding=Binding(name="scale", arguments=("out", "in", "n * 1"), template_arguments="int"),
        headers=("<cmath>",),
    )


def varied(source: Source, base: Candidate, answer: str) -> Candidate | Rejected:
    unit = next(unit for unit in source.units if unit.name == "scale")
    form = form_of_candidate(base)
    assert form is not None
    return candidates_of(source, unit, form, base.dialect, answer, ByModel(model="test"), base)[0]


def test_a_variant_is_called_as_what_it_was_made_of(source: Source) -> None:
    base = kept(source, GOOD, "static float twice(float x) { return x + x; }")
    found = varied(source, base, fenced("#include <algorithm>\n" + GOOD.replace("parallel for", "simd")))
    assert isinstance(found, Candidate)
    assert "omp simd" in own(found)
    assert found.binding == base.binding and found.headers == ("<cmath>", "<algorithm>")
    # What the answer leaves out stays as it was, and not as rules would write it.
    assert found.replacements[1:] == base.replacements[1:]
    assert found.replacements[0].same_signature


def test_a_variant_may_change_what_is_called_too(source: Source) -> None:
    base = kept(source, GOOD, "static float twice(float x) { return x + x; }")
    found = varied(source, base, fenced("float twice(float x) { return 2 * x; }\n" + GOOD))
    assert isinstance(found, Candidate)
    assert [item.text for item in found.replacements[1:]] == [b"float twice(float x) { return 2 * x; }"]


def test_a_variant_keeps_the_head_of_what_it_was_made_of(source: Source) -> None:
    base = kept(
        source, "// helped\nstatic int two() { return 2; }\n" + GOOD.replace("int n)", "int n, int blocks)")
    )
    form = form_of_candidate(base)
    assert form is not None and form.prototype == "void scale(float *out, const float *in, int n, int blocks)"
    assert "and not `void scale(float *, const float *, int, int)`" in said(
        varied(source, base, fenced(GOOD))
    )


def test_the_head_of_a_template_is_read_whole(source: Source) -> None:
    form = form_of_candidate(kept(source, "template <typename T>\nvoid scale(T *x) {}\n"))
    assert form is not None and form.prototype == "template <typename T>\nvoid scale(T *x)"
    assert form_of_candidate(kept(source, "void other() {}")) is None
