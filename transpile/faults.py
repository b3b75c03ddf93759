"""Our own failures: a bug is the verdict of the unit that shows it, with a log to paste, and of no other."""

from __future__ import annotations

import itertools
import os
import platform
import shlex
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from transpile import __version__, machine
from transpile.core import OUR_FAULT, Diagnostic, Inconclusive, Severity
from transpile.errors import InternalError, TranspileError
from transpile.toolchains.workshop import cache_directory

Item = TypeVar("Item")
Result = TypeVar("Result")
LOGS = "logs"
"""The folder of the cache in which logs are."""
_numbers = itertools.count(1)


def own(error: Exception, doing: str) -> Inconclusive:
    """Return that nothing is shown, since we failed at something; raise again what is not our bug.

    Raises:
        MachineFault: The machine is short of something, so that nothing tells of us.
        TranspileError: It is for the user to correct.
    """
    raise_others(error)
    said = f"{type(error).__name__}: {error}".partition("\n")[0]
    try:
        told = f"please report it with {write_log(error)}"
    except OSError:
        told = "no log could be written"
    return Inconclusive(reason=f"transpile itself failed while {doing} ({said}): {told}", code=OUR_FAULT)


def raise_others(error: Exception) -> None:
    """Raise what is not our own bug."""
    found = machine.behind(error, cache_directory())
    if found is not None:
        raise found from error
    if isinstance(error, TranspileError) and not isinstance(error, InternalError):
        raise error


def isolated(
    items: Sequence[Item],
    together: Callable[[Sequence[Item]], Sequence[Result]],
    failed: Callable[[Item, Inconclusive], Result],
    doing: str,
) -> list[Result]:
    """Return a result for each item; where we fail on all of them, each is tried alone.

    Args:
        items: What there is to do.
        together: Does it, and returns a result for each of them.
        failed: Makes a result of an item on which we fail, and of why.
        doing: What is done, in words.
    """
    found = dict(streamed(items, lambda some: enumerate(together(some)), failed, doing))
    return [found[number] for number in range(len(items))]


def streamed(
    items: Sequence[Item],
    together: Callable[[Sequence[Item]], Iterable[tuple[int, Result]]],
    failed: Callable[[Item, Inconclusive], Result],
    doing: str,
) -> Iterator[tuple[int, Result]]:
    """Yield a result for each item as soon as there is one; where we fail, each that is left is tried alone.

    Args:
        items: What there is to do.
        together: Does it, and yields the number of an item in what it was given, and a result.
        failed: Makes a result of an item on which we fail, and of why.
        doing: What is done, in words.
    """
    left = dict(enumerate(items))
    try:
        for number, result in together(items):
            del left[number]
            yield number, result
        return
    except Exception as error:
        raise_others(error)
        if not items:
            raise
        failure = error
    for number, item in left.items():
        if len(items) == 1:
            yield number, failed(item, own(failure, doing))
        else:
            yield from ((number, result) for _, result in streamed([item], together, failed, doing))


def diagnostic(fault: Inconclusive, path: str, line: int = 1) -> Diagnostic:
    """Return our own failure as what is told of a place."""
    return Diagnostic(code=fault.code, severity=Severity.ERROR, path=path, line=line, message=fault.reason)


def write_log(error: BaseException) -> Path:
    """Write down all that a report of a bug needs, and return where.

    Raises:
        OSError: There is no place for it.
    """
    directory = cache_directory() / LOGS
    directory.mkdir(parents=True, exist_ok=True)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    log = directory / f"bug-{stamp}-{os.getpid()}-{next(_numbers)}.md"
    lines = [
        f"transpile {__version__}, Python {platform.python_version()}, {platform.platform()}",
        "",
        f"    {shlex.join(sys.argv)}",
        "",
        "```",
        *traceback.format_exception(error),
        "```",
    ]
    log.write_text("\n".join(line.rstrip("\n") for line in lines) + "\n", encoding="utf-8", errors="replace")
    return log
