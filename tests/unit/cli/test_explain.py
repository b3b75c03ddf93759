from __future__ import annotations

import re
from pathlib import Path

import pytest

import transpile
from transpile.cli import explain
from transpile.errors import UsageError
from transpile.translators.refusal import PATTERNS

PACKAGE = Path(transpile.__file__).parent
CODE = re.compile(r"\bTP[1-9]\d\d\b")
PAGES = sorted((PACKAGE / "cli" / "explain").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_pages_have_one_shape(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.match(rf"# {page.stem} [a-z0-9]+(-[a-z0-9]+)*\n\n", text), (
        "first line: # CODE name-of-the-pattern"
    )
    assert text.count("**Why it matters.**") == 1
    assert text.count("**What to do.**") == 1
    assert explain.advice(page.stem)
    assert all(len(line) <= 150 for line in text.splitlines())


def test_every_code_has_a_page_and_every_page_a_use() -> None:
    texts = [file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py")]
    used = {code for text in texts for code in CODE.findall(text)}
    assert used == {page.stem for page in PAGES}


def test_refusals_of_rules_are_called_as_the_rules_call_them() -> None:
    titles = explain.titles()
    assert {code: titles[code] for code in PATTERNS} == PATTERNS


def test_titles_differ() -> None:
    titles = list(explain.titles().values())
    assert len(set(titles)) == len(titles)


def test_unknown_codes_name_the_closest() -> None:
    with pytest.raises(UsageError, match="unknown code 'TP413x'") as caught:
        explain.page("TP413x")
    assert "TP413" in caught.value.hint


def test_advice_is_one_sentence() -> None:
    assert explain.advice("TP000") == ""
    assert explain.advice("TP401").endswith(".")
