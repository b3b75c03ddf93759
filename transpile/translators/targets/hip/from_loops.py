"""Sequential C and C++ to HIP: what is written in CUDA, as the rules that lead from CUDA to HIP write it.

Shuffles get their width by these, so texts for warps of 32 lanes are right where a warp has 64.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from transpile.code.lexer import tokenize
from transpile.core import (
    HIP,
    ByRules,
    Candidate,
    Contract,
    Diagnostic,
    Interface,
    Rejected,
    Source,
    Unit,
)
from transpile.translators.targets import cuda
from transpile.translators.targets.hip.names import RUNTIME
from transpile.translators.targets.hip.text import ported


def propose(
    source: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Candidate | Rejected:
    """Return a function whose parallel loops run on a device of AMD, or why none of them does."""
    if taken := _with_names_of_cuda(source, unit):
        return Rejected(stage="translate", diagnostics=tuple(map(_taken, taken)))
    found = cuda.propose(source, unit, contracts, interface)
    return _ported(found) if isinstance(found, Candidate) else found


def variants(
    source: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    interface: Interface = Interface.HOST,
) -> Iterator[Candidate]:
    """Yield a function some of whose kernels have tiles of shared memory, where one has a use for them."""
    if not _with_names_of_cuda(source, unit):
        yield from map(_ported, cuda.variants(source, unit, contracts, interface))


def _ported(candidate: Candidate) -> Candidate:
    [own] = candidate.replacements
    assert isinstance(candidate.origin, ByRules)
    return replace(
        candidate,
        replacements=(replace(own, text=_in_hip(own.text)),),
        dialect=replace(HIP, interface=candidate.dialect.interface),
        headers=(f"<{RUNTIME.decode()}>", *candidate.headers),
        origin=replace(candidate.origin, rules=(*candidate.origin.rules, "hip")),
    )


def _in_hip(text: bytes) -> bytes:
    return ported("", text)


def _with_names_of_cuda(source: Source, unit: Unit) -> list[Unit]:
    """Return what of a function and those that it calls the rules would change, though it is no CUDA."""
    return [part for part in (unit, *source.closure(unit)) if _in_hip(part.text) != part.text]


def _changed(text: bytes) -> str:
    """Return the words that the rules would change."""
    left = {token.text for token in tokenize(_in_hip(text)).text}
    changed = dict.fromkeys(token.text for token in tokenize(text).text if token.text not in left)
    return ", ".join(f"`{word.decode('utf-8', 'replace')}`" for word in changed)


def _taken(part: Unit) -> Diagnostic:
    """Return that nobody says what names of CUDA's mean in a function of the source."""
    return part.diagnostic(
        "TP214",
        f"`{part.name}` is plain C or C++, and uses names of CUDA: {_changed(part.text)}",
        hint="rename them in the source",
    )
