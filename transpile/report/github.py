"""Findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from transpile.core import Severity
from transpile.report.findings import Finding

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def lines(findings: Iterable[Finding]) -> list[str]:
    """Return one workflow command a finding."""
    return [
        f"::{_COMMANDS[item.severity]} file={_property(item.path)},line={item.line},col={item.column},"
        f"title={_property(item.code)}::{_message(item)}"
        for item in findings
    ]


def _message(item: Finding) -> str:
    return _escaped(f"{item.reason} {item.hint}".strip())


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
