"""Splits by group: what is nearly the same is in one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from transpile.core import digest

TRAIN, VALIDATION, TEST = "train", "validation", "test"
SPLITS = (TRAIN, VALIDATION, TEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Shares of the groups that are held back."""

    validation: float = 0.05
    test: float = 0.05
    seed: int = 0


def split_of(group: Sequence[str], shares: Shares) -> str:
    """Return the split of a group of texts: where it falls, no other group has a say in.

    So a data set may grow, and what was held back stays so as long as its group gains no smaller digest.
    """
    place = int(digest(str(shares.seed), min(map(digest, group)))[:8], 16) / 16**8
    if place < shares.test:
        return TEST
    return VALIDATION if place < shares.test + shares.validation else TRAIN


def splits_of(texts: Sequence[str], groups: Sequence[int], shares: Shares) -> list[str]:
    """Return the split of each text, of which the number of its group is known."""
    members: dict[int, list[str]] = {}
    for text, group in zip(texts, groups, strict=True):
        members.setdefault(group, []).append(text)
    found: Mapping[int, str] = {group: split_of(inside, shares) for group, inside in members.items()}
    return [found[group] for group in groups]
