from dataclasses import replace

import pytest

from tests.unit.testers.making import MAP
from transpile.core import Binding, Candidate, Replacement, Span, Unit, UnitKind
from transpile.testers.checks.sanitize import subset
from transpile.testers.proposal import Proposal
from transpile.testers.run.bench import binding_for, compatible
from transpile.testers.run.teams import is_parallel


def proposal(name: str, text: bytes, *others: tuple[str, bytes]) -> Proposal:
    unit = Unit(
        id=name, kind=UnitKind.KERNEL, path="a.cu", name=name, span=Span(start=0, end=1), line=1, text=b""
    )
    pieces = tuple(Replacement(unit=key, text=body) for key, body in ((name, text), *others))
    candidate = Candidate(
        unit=name, replacements=pieces, binding=Binding(name=name, arguments=()), parallel=False
    )
    return Proposal(unit=unit, contracts=(MAP,), candidate=candidate)


def test_candidates_of_different_kernels_share_a_library() -> None:
    first, second = proposal("a", b"1", ("d", b"same")), proposal("b", b"2", ("d", b"same"))
    assert compatible([first, second]) == [(first, second)]


def test_two_texts_of_one_unit_do_not() -> None:
    first, second = proposal("a", b"1"), proposal("a", b"2")
    third = proposal("b", b"3", ("d", b"one"))
    fourth = proposal("c", b"4", ("d", b"other"))
    assert compatible([first, second]) == [(first,), (second,)]
    assert compatible([third, fourth]) == [(third,), (fourth,)]


def test_a_template_is_called_as_its_source_is() -> None:
    signature = replace(MAP.signature, template_arguments="float, 2")
    template = proposal("a", b"template <class T, int N>\nvoid a(T *x) {}").candidate
    function = proposal("a", b"void a(float *x) {}").candidate
    assert binding_for(template, signature).template_arguments == "float, 2"
    assert binding_for(function, signature).template_arguments is None


@pytest.mark.parametrize(
    ("text", "parallel"), [(b"#pragma omp simd", True), (b"std :: execution::par", True), (b"x", False)]
)
def test_a_race_check_is_owed_whatever_the_candidate_says(text, parallel) -> None:
    assert is_parallel(proposal("a", text).candidate) is parallel


def test_a_subset_is_spread_and_holds_the_ends() -> None:
    assert subset(range(100), 5) == [0, 25, 50, 74, 99]
    assert subset(range(3), 5) == [0, 1, 2]
