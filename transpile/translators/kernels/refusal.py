"""How a pass says that it will not translate a pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from tree_sitter import Node

PATTERNS = {
    "TP200": "no-rule",
    "TP201": "divergent-barrier",
    "TP202": "implicit-warp-synchrony",
    "TP203": "unknown-cuda-name",
    "TP204": "atomic-in-expression",
    "TP205": "return-across-barrier",
    "TP206": "broken-syntax",
    "TP207": "conditional-compilation",
    "TP208": "synchronising-device-function",
    "TP209": "unsupported-warp-primitive",
    "TP210": "inter-block-communication",
    "TP211": "unknown-type",
}
"""Diagnostic codes of this translator, each with the name of the pattern it refuses."""


@dataclass
class Refused(Exception):
    """A pattern that no rule translates: its code, and the line within the unit from 0."""

    code: str
    line: int
    detail: str = ""


def refuse(code: str, node: Node | None, detail: str = "") -> NoReturn:
    """Give up the unit because of the pattern at a node."""
    raise Refused(code, node.start_point[0] if node is not None else 0, detail)
