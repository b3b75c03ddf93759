"""The only place that prints: data on standard output, progress and hints on standard error.

Colour only decorates: everything can be read without it. Names of files come from repositories of others:
what would move a terminal's cursor, or look like another line, is spelled out here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from transpile.visible import one_line, visible

PIPED_WIDTH = 160
"""Columns where nobody's terminal says how many there are: a log can be scrolled, a cut line is lost."""


def out() -> Console:
    """Return the console of results."""
    return _console(stderr=False)


def err() -> Console:
    """Return the console of progress, hints and errors."""
    return _console(stderr=True)


class VisibleConsole(Console):
    """A console that writes no control character but its own."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is written, with all that texts bring along spelled out."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))


def data_line(text: str) -> None:
    """Write one line of results."""
    _write(one_line(text))


def data_text(text: str) -> None:
    """Write results of several lines."""
    _write(visible(text))


def data_bytes(data: bytes) -> None:
    """Write results that are no text, such as a patch, for another program."""
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def data(value: Mapping[str, Any], *, indent: int | None = 1) -> None:
    """Write one JSON object: over several lines for people, on one line for ``jsonl``."""
    data_text(json.dumps(value, indent=indent))


def hint(text: str) -> None:
    """Say what the user may want to know or do next."""
    err().print(Text(text, style="dim"), soft_wrap=True)


def failure(message: str, advice: str = "") -> None:
    """Say what went wrong and what to do about it."""
    console = err()
    console.print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)
    if advice:
        console.print(Text(f"  {advice}"), soft_wrap=True)


def warning(message: str) -> None:
    """Say what is doubtful but does not stop us."""
    err().print(Text.assemble(("warning: ", "bold yellow"), message), soft_wrap=True)


def markdown(text: str) -> None:
    """Write a page: laid out on a terminal, as it is elsewhere."""
    console = out()
    if console.is_terminal:
        console.print(Markdown(text))
    else:
        data_text(text.rstrip("\n"))


def heading(text: str) -> None:
    """Write the title of what follows."""
    console = out()
    console.print()
    console.print(Text(text, style="bold"))


def table(
    columns: Iterable[str], rows: Iterable[Iterable[Text | str]], *, right: frozenset[str] = frozenset()
) -> None:
    """Write rows under headings; the columns named ``right`` hold numbers."""
    found = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        found.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        found.add_row(*(cell if isinstance(cell, Text) else Text(cell) for cell in row))
    _print_trimmed(found)


def item(title: Text, *details: str) -> None:
    """Write a paragraph: a title, and details set in below it."""
    _print_trimmed(title, *(Padding(Text(detail), (0, 0, 0, 4)) for detail in details))


def _print_trimmed(*parts: RenderableType) -> None:
    """Write what rich lays out, without the blanks that it fills lines with."""
    console = out()
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    for line in capture.get().splitlines():
        _write(line.rstrip())


def _write(text: str) -> None:
    # Paths of this world need not be UTF-8: what cannot be encoded comes out as its bytes.
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape") + b"\n")
    sys.stdout.flush()


def _console(*, stderr: bool) -> Console:
    console = VisibleConsole(stderr=stderr, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    return console
