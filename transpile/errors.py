"""Exceptions raised on purpose. A wrong translation is a value (``core.Verdict``), never one of these."""

from __future__ import annotations


class TranspileError(Exception):
    """Base of what the command line reports in one line, with a hint, and exit status 2.

    Attributes:
        hint: What the user can do about it; empty where the message says it all.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep the message as the only argument, so that ``str(error)`` is that message."""
        super().__init__(message)
        self.hint = hint


class UsageError(TranspileError):
    """The command line asks for something that cannot be done. Nothing has been touched."""


class ConfigurationError(TranspileError):
    """``transpile.toml`` or ``[tool.transpile]`` does not say what it should: correct the named key."""


class ToolMissing(TranspileError):
    """A program that the work needs is not on this machine: the hint says how to install it."""


class MachineFault(TranspileError):
    """The machine lacks what the work needs, such as room on a disk: never a verdict."""


class InternalError(TranspileError):
    """Our own bug, noticed by ourselves. Exit status 3, with a log ready to paste."""
