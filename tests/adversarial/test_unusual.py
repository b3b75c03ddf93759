"""Right translations that look unlike their source are kept; what looks redundant is not believed."""

from __future__ import annotations

from functools import partial

import pytest

from tests.adversarial import function_session, needs, session
from tests.adversarial.candidates import Text, read, reason
from tests.conftest import Once
from tests.sampling import sampled
from transpile.core import CUDA, OPENMP, Passed, Source, Verdict
from transpile.toolchains.workshop import Workshop

pytestmark = needs.RACES

DIALECTS = {"openmp.c": OPENMP, "cuda.cu": CUDA, "wrong.c": OPENMP, "wrong.cu": CUDA}
TEXTS = {file: sampled(read(f"unusual/{file}"), 50) for file in DIALECTS}
RIGHT = TEXTS["openmp.c"] + TEXTS["cuda.cu"]
WRONG = TEXTS["wrong.c"] + TEXTS["wrong.cu"]
KERNELS = sampled(read("unusual/kernels.cpp"), 50)
Verdicts = dict[str, Verdict]


@pytest.fixture(scope="module")
def source() -> Source:
    return function_session.read_source("unusual/functions.c")


@pytest.fixture(scope="module")
def found(once: Once, workshop: Workshop, source: Source) -> Verdicts:
    known = once("unusual functions", partial(function_session.learnt, workshop, source, RIGHT + WRONG))
    verdicts: Verdicts = {}
    for dialect in (OPENMP, CUDA):
        texts = [text for file, own in DIALECTS.items() if own == dialect for text in TEXTS[file]]
        judged = partial(function_session.judged, workshop, source, known, texts, dialect)
        verdicts |= once(f"unusual {dialect.model}", judged)
    return verdicts


@pytest.fixture(scope="module")
def kernels(once: Once, workshop: Workshop) -> Verdicts:
    judged = once("unusual kernels", partial(session.judged, workshop, KERNELS))
    return {name: item.verdict for name, item in judged.items()}


@pytest.mark.parametrize("text", RIGHT, ids=lambda item: item.id)
def test_unusual_functions_are_kept(found: Verdicts, text: Text) -> None:
    assert isinstance(found[text.id], Passed), found[text.id]


@pytest.mark.parametrize("text", KERNELS, ids=lambda item: item.id)
def test_unusual_kernels_are_kept(kernels: Verdicts, text: Text) -> None:
    assert isinstance(kernels[text.id], Passed), kernels[text.id]


@pytest.mark.parametrize("text", WRONG, ids=lambda item: item.id)
def test_guards_that_only_look_redundant_are_not_believed(found: Verdicts, text: Text) -> None:
    assert reason(found[text.id]) in text.refused, found[text.id]
