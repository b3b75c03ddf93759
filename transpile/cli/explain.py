"""``transpile explain``: what a diagnostic code means."""

from __future__ import annotations

import re
from importlib import resources
from typing import Annotated

import typer

from transpile.cli import render
from transpile.config import closest
from transpile.errors import UsageError


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
    pages = _pages()
    if code not in pages:
        raise UsageError(f"unknown code '{code}'", hint=closest(code, tuple(pages)))
    return pages[code]


def titles() -> dict[str, str]:
    """Return what each code is called."""
    return {
        code: text.partition("\n")[0].removeprefix(f"# {code}").strip() for code, text in _pages().items()
    }


def advice(code: str) -> str:
    """Return the first sentence of a page's "What to do"; empty where there is no such page."""
    text = _pages().get(code, "").partition("**What to do.**")[2].strip()
    paragraph = " ".join(text.partition("\n\n")[0].split())
    sentence = re.match(r".*?[.!](?=\s|$)", paragraph)
    return sentence.group() if sentence else paragraph


def _pages() -> dict[str, str]:
    folder = resources.files("transpile.cli") / "explain"
    return {
        entry.name.removesuffix(".md"): entry.read_text(encoding="utf-8")
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".md")
    }
