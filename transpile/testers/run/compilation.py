"""A candidate in the files that it is built from."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.testers.proposal import Proposal
from transpile.testers.text.lanes import apart
from transpile.testers.text.thresholds import lowered
from transpile.testers.text.value_tests import branching, words
from transpile.toolchains.build import Flavour
from transpile.toolchains.compilation import Compilation

FIRST_LINE = b"#line 1\n"
"""From here on a compiler counts lines: headers of candidates stand before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCompilation(Compilation):
    """What a shelf of candidates is compiled from."""

    plain: bool
    """No CUDA is in the source."""
    in_c: bool
    """Candidates have names of their own, and no namespaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A candidate in the file that it is built in."""

    path: str
    data: bytes
    """The file, as the compiler counts its lines."""
    namespace: str
    """That it is in; in C what its names begin with, before two underscores."""
    made: CandidateCompilation
    """The files and flags of its build."""
    name: str
    """Of the function that is called in place of the source, as it stands there."""
    before: int
    """Lines of the file before those that the compiler counts."""


def as_built(text: bytes, proposal: Proposal, flavour: Flavour) -> bytes:
    """Return the text of a candidate as it is compiled in a flavour, line by line the same."""
    if flavour is Flavour.SHIPPED:
        return text
    if flavour is Flavour.COVER and not proposal.candidate.by_rules:
        return branching(lowered(text), words(proposal.unit.text))
    return apart(lowered(text), proposal.unit.text) if flavour is Flavour.THREAD else lowered(text)


def as_counted(made: Compilation) -> dict[str, bytes]:
    """Return the files of a compilation as the compiler counts their lines."""
    return {**made.files, made.unit.path: made.files[made.unit.path].partition(FIRST_LINE)[2]}
