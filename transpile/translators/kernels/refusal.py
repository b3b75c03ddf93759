"""Refusals of patterns that no pass translates."""

from __future__ import annotations

from typing import NoReturn

from tree_sitter import Node

from transpile.translators.refusal import Refused


def refuse(code: str, node: Node | None, detail: str = "") -> NoReturn:
    """Give up the unit because of the pattern at a node."""
    raise Refused(code, detail, node.start_point[0] if node is not None else 0)
