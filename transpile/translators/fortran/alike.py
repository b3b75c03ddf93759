"""Pieces of Fortran that are written alike."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from transpile.parsers.fortran import tree


def same_place(value: tree.Expression, target: tree.Expression) -> bool:
    """Tell whether two references are written alike."""
    return _stripped(value) == _stripped(target)


def _stripped(node: object) -> object:
    """Return a tree without its lines."""
    if isinstance(node, tuple):
        return tuple(_stripped(item) for item in node)
    if is_dataclass(node) and not isinstance(node, type):
        return (
            type(node).__name__,
            *(_stripped(getattr(node, item.name)) for item in fields(node) if item.name != "line"),
        )
    return node
