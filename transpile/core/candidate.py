"""CANDIDATE: a proposed translation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from transpile.core.dialect import OPENMP, Dialect
from transpile.core.digests import digest
from transpile.core.proof import Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """How a launch of the source becomes a call of the candidate.

    Each argument is a C++ expression over the source's parameter names and the launch quantities
    ``gridDim``, ``blockDim`` (of type dim3) and ``dynamicShared`` (bytes). A parameter name alone
    stands for itself.
    """

    name: str
    """Function to call, without template arguments."""
    arguments: tuple[str, ...]
    template_arguments: str | None = None
    kernel: bool = False
    """Launched as the trial says, with the trial's arguments, instead of called."""
    device: tuple[str, ...] = ()
    """Parameters of the source that lead to memory of the device, which the host does not reach."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a candidate asks of an array of the caller's before it runs anything at once."""

    array: str
    order: Literal["ascending", "distinct"]
    """As ``ArrayFact`` has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """New text for a unit's span. A unit whose signature changes may have to stand beside its source."""

    unit: str
    text: bytes
    same_signature: bool = False

    @property
    def shown(self) -> str:
        """Return the text as people and models read it."""
        return self.text.decode("utf-8", "replace")


SUPPOSED = "assumes "
"""Begins the name of a rule that is a fact which the translation rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByRules:
    """Made by the rule translator; names the passes that fired."""

    kind: Literal["rules"] = "rules"
    rules: tuple[str, ...] = ()
    proof: Proof | None = None
    """What was shown of this step before any trial; None where nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByModel:
    """Made by a language model."""

    kind: Literal["model"] = "model"
    model: str = ""
    prompt: str = ""
    """Digest of the prompt."""
    round: int = 0
    """How many earlier answers it was told of."""
    sample: int = 0
    """Which of the answers to that prompt."""
    draft: int = 0
    """Number of blocks of code that come after it in that answer: only the last is meant."""
    alike: int = 1
    """Answers to that prompt that mean the same code."""
    transformation: str = ""
    """What it was asked to do with a translation that was kept; empty where it translated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A proposed translation of one unit together with the device functions it calls."""

    unit: str
    replacements: tuple[Replacement, ...]
    """The unit's own first."""
    binding: Binding
    headers: tuple[str, ...] = ()
    """Standard headers that the text needs, such as ``<cmath>``."""
    dialect: Dialect = OPENMP
    origin: ByRules | ByModel = field(default_factory=ByRules)
    parallel: bool = True
    """Contains parallel constructs, so that a race check is owed."""
    asks: tuple[Asked, ...] = ()
    """What has to hold for these to run on several threads: trials in which it does are owed, too."""

    @property
    def by_rules(self) -> bool:
        """Tell whether our rules made it: a text of unknown origin names none."""
        return isinstance(self.origin, ByRules) and bool(self.origin.rules)

    @property
    def digest(self) -> str:
        """Return the digest of all that is put in place of the source's text."""
        return digest(*(part for item in self.replacements for part in (item.unit, item.text)))
