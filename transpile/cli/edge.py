"""Where exceptions end: expected ones become a message, our own bugs a log that is ready to paste."""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import ParamSpec

import typer

from transpile import faults, machine
from transpile.cli import render
from transpile.errors import InternalError, TranspileError
from transpile.toolchains import process
from transpile.toolchains.workshop import cache_directory

P = ParamSpec("P")


class ExitStatus(IntEnum):
    """What a command tells its caller."""

    KEPT = 0
    FINDINGS = 1
    USAGE = 2
    BUG = 3
    INTERRUPTED = 130


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Return the command with every way out mapped to an exit status."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            with _interruptible():
                command(*args, **kwargs)
        except typer.Exit:
            raise
        except KeyboardInterrupt:
            render.hint("Interrupted. What was decided is on disk: the same command goes on from there.")
            raise typer.Exit(ExitStatus.INTERRUPTED) from None
        except BrokenPipeError:
            # Whoever read our output (head, less) has seen enough. Keep the interpreter from flushing it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(ExitStatus.FINDINGS) from None
        except InternalError as error:
            raise _bug(error) from error
        except TranspileError as error:
            render.failure(str(error), error.hint)
            raise typer.Exit(ExitStatus.USAGE) from error
        except Exception as error:
            raise _bug(error) from error

    return run


@contextmanager
def _interruptible() -> Iterator[None]:
    """Make SIGINT end at once what all threads run, unless whoever began us has it ignored."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before in (None, signal.SIG_IGN):
        yield
        return

    def stop(*_: object) -> None:
        process.interrupt()
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        process.resume()


def _bug(error: Exception) -> typer.Exit:
    found = machine.behind(error, cache_directory())
    if found is not None:
        render.failure(str(found), found.hint)
        return typer.Exit(ExitStatus.USAGE)
    try:
        log = faults.write_log(error)
    except OSError:
        render.failure(f"A bug in transpile: {error!r}", "".join(traceback.format_exception(error)))
    else:
        render.failure(f"A bug in transpile: {error!r}", f"Please report it with this file: {log}")
    return typer.Exit(ExitStatus.BUG)
