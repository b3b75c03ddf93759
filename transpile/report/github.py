"""Findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from transpile.core import Severity
from transpile.report.findings import Finding

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def lines(findings: Iterable[Finding], base: Path, checkout: Path) -> list[str]:
    """Return one workflow command a finding.

    Args:
        findings: What was found.
        base: The directory that their paths count from.
        checkout: The directory that paths of annotations count from.
    """
    places = ((item, _where(item, base, checkout)) for item in findings)
    return [
        f"::{_COMMANDS[item.severity]} {where}title={_property(item.code)}::{_message(item)}"
        for item, where in places
    ]


def _where(item: Finding, base: Path, checkout: Path) -> str:
    """Return the place of an annotation; empty where it is about no file."""
    place = Path(os.path.abspath(base / item.path))
    if place.is_dir():
        return ""
    top = Path(os.path.abspath(checkout))
    path = place.relative_to(top) if place.is_relative_to(top) else place
    return f"file={_property(str(path))},line={item.line},col={item.column},"


def _message(item: Finding) -> str:
    return _escaped(f"{item.reason} {item.hint}".strip())


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
