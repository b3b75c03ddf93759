"""Requests to a model to change a translation that is already right."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.core import Candidate, Transformation


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A translation of the unit that was tried, with what became of it in a line."""

    text: str
    fate: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A transformation of a translation, with what is known of its speed and of other variants."""

    base: Candidate
    transformation: Transformation
    facts: tuple[str, ...] = ()
    """What was measured of the translation as it is."""
    variants: tuple[Variant, ...] = ()
    """Earlier ones, oldest first."""
