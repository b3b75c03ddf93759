"""Items of suites: a text to translate, and where there is one, a test that knows nothing of our judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transpile.core import Candidate, Dialect, Signature
from transpile.toolchains.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A translation as a suite's own test takes it."""

    candidate: Candidate
    signature: Signature

    @property
    def text(self) -> str:
        """Return it as one text, headers first and callees before callers."""
        headers = "".join(f"#include {header}\n" for header in self.candidate.headers)
        return headers + "\n".join(item.shown for item in reversed(self.candidate.replacements))

    @property
    def takes_launch(self) -> bool:
        """Tell whether it takes more than its source: the launch."""
        return len(self.candidate.binding.arguments) != len(self.signature.parameters)


Test = Callable[[Workshop, Written], bool | None]
"""Tells whether a translation does what the suite expects; None where it cannot be called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One text to translate."""

    id: str
    text: str
    suffix: str
    unit: str = ""
    """The function or kernel; empty where there is but one."""
    reference: str = ""
    """A translation by the suite's authors; empty where there is none."""
    test: Test | None = None
    untested: str = ""
    """Why there is no test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Items of one kind, and what they become where nothing else is said."""

    name: str
    items: tuple[Item, ...]
    target: Dialect
    note: str = ""
    """Known facts about its figures, such as models that have seen it."""
