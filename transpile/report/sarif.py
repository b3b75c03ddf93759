"""Findings as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from transpile import __version__
from transpile.report.findings import Explanation, Finding

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "ROOT"


def log(
    findings: Sequence[Finding], base: Path, exit_status: int, explanations: Mapping[str, Explanation]
) -> dict[str, Any]:
    """Return a whole log.

    Args:
        findings: The results.
        base: The directory that their paths are meant from.
        exit_status: Of the command.
        explanations: What each diagnostic code means.
    """
    codes = sorted({item.code for item in findings})
    driver = {
        "name": "transpile",
        "version": __version__,
        "rules": [_rule(code, explanations.get(code)) for code in codes],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True, "exitCode": exit_status}],
        "originalUriBaseIds": {_BASE: {"uri": f"{_absolute(base).rstrip('/')}/"}},
        "results": [_result(item, base, codes.index(item.code), explanations) for item in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str, known: Explanation | None) -> dict[str, Any]:
    if known is None:
        return {"id": code}
    return {
        "id": code,
        "name": known.title,
        "shortDescription": {"text": known.title.replace("-", " ")},
        "help": {"text": known.text, "markdown": known.text},
    }


def _result(item: Finding, base: Path, rule: int, explanations: Mapping[str, Explanation]) -> dict[str, Any]:
    known = explanations.get(item.code)
    todo = item.hint or (known.advice if known else "")
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": _artifact(item.path, base),
            "region": {"startLine": max(item.line, 1), "startColumn": max(item.column, 1)},
        }
    }
    if item.unit:
        location["logicalLocations"] = [{"fullyQualifiedName": _text(item.unit), "kind": "function"}]
    return {
        "ruleId": item.code,
        "ruleIndex": rule,
        "level": str(item.severity),
        "message": {"text": _text(f"{item.reason}\n{todo}".strip())},
        "locations": [location],
    }


def _artifact(path: str, base: Path) -> dict[str, str]:
    """Return where a file is: below the base if it is, so that the log holds on another machine, too."""
    place = Path(os.path.normpath(base / path))
    if place != base and place.is_relative_to(base):
        return {"uri": _quoted(place.relative_to(base)), "uriBaseId": _BASE}
    return {"uri": _absolute(place)}


def _absolute(place: Path) -> str:
    return f"file://{_quoted(Path(os.path.abspath(place)))}"


def _quoted(path: Path) -> str:
    return quote(os.fsencode(path))


def _text(text: str) -> str:
    """Return text that any reader of JSON accepts: bytes that are not UTF-8 are spelt out."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
