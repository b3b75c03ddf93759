"""``transpile explain``: what a diagnostic code means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Annotated

import typer

from transpile.cli import render
from transpile.config import closest
from transpile.errors import UsageError
from transpile.report.findings import Explanation


def explain(
    code: Annotated[str, typer.Argument(help="Such as TP201; all codes are listed without one.")] = "",
) -> None:
    """Tell what a diagnostic code means, why it exists and what to do."""
    if not code:
        for known, title in titles().items():
            render.data_line(f"{known}  {title}")
        return
    render.markdown(page(code.upper()))


def page(code: str) -> str:
    """Return the page of a code; UsageError where there is none."""
    known = _pages()
    if code not in known:
        raise UsageError(f"unknown code '{code}'", hint=closest(code, tuple(known)))
    return known[code]


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return what every code means."""
    return {code: _parsed(code, text) for code, text in _pages().items()}


def titles() -> dict[str, str]:
    """Return what each code is called."""
    return {code: known.title for code, known in explanations().items()}


def advice(code: str) -> str:
    """Return the first sentence of a page's "What to do"; empty where there is no such page."""
    known = explanations().get(code)
    return known.advice if known else ""


def _parsed(code: str, page: str) -> Explanation:
    title, _, text = page.partition("\n")
    paragraph = " ".join(text.partition("**What to do.**")[2].strip().partition("\n\n")[0].split())
    sentence = re.match(r".*?[.!](?=\s|$)", paragraph)
    return Explanation(
        title=title.removeprefix(f"# {code}").strip(),
        text=text.strip(),
        advice=sentence.group() if sentence else paragraph,
    )


@cache
def _pages() -> dict[str, str]:
    folder = resources.files("transpile.cli") / "explain"
    return {
        entry.name.removesuffix(".md"): entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".md")
    }
