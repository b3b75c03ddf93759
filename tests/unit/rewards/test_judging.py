"""Questions that cannot be asked are refused before anything is built."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from transpile.core import HIP, OPENMP_TARGET
from transpile.errors import UsageError
from transpile.rewards import Judge, JudgeOptions, Question

TWO = "void f(int n, float *x) { for (int i = 0; i < n; i++) x[i] = 0; }\n" * 1
TEXT = TWO + TWO.replace("f(", "g(")

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (Question(source=Path("/nowhere/a.cu")), "does not exist"),
        (Question(source="a.cu"), "no code"),
        (Question(source=TEXT, suffix=".txt"), "no suffix of code"),
        (Question(source=TEXT, suffix=".c", unit="h"), "no unit is called 'h'"),
        (Question(source=TEXT, suffix=".c"), "not clear"),
        (Question(source=TEXT.replace("void", "__global__ void"), unit="f", target=OPENMP_TARGET), "leads"),
        (Question(source=TEXT.replace("void", "__global__ void"), unit="f", target=HIP), "models"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(tmp_path: Path, question: Question, said: str) -> None:
    with Judge(JudgeOptions(cache=tmp_path)) as judge, pytest.raises(UsageError, match=said) as found:
        judge.judge(question, ["code"])
    assert str(tmp_path) not in str(found.value)


def test_a_text_in_place_of_a_list_is_refused(tmp_path: Path) -> None:
    with Judge(JudgeOptions(cache=tmp_path)) as judge, pytest.raises(UsageError, match="list"):
        judge.judge(Question(source=TEXT), "code")
