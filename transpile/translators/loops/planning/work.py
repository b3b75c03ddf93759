"""A function whose loops are ported: what is known of it, once for all that is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from transpile.code.identity import Same
from transpile.code.syntax import Function
from transpile.core import (
    SUPPOSED,
    Asked,
    Binding,
    ByRules,
    Candidate,
    Contract,
    Dialect,
    Rejected,
    Replacement,
    Source,
    Unit,
)
from transpile.translators.loops.analysis.idioms import Idiom
from transpile.translators.loops.analysis.plan import Band, SequentialNest, score, whole
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.lengths.resolution import trusted
from transpile.translators.loops.planning.choice import Choice, chosen
from transpile.translators.loops.planning.facts import agreed
from transpile.translators.loops.planning.legality import legality
from transpile.translators.loops.planning.overlaps import supposed_apart
from transpile.translators.loops.planning.refusal import refusal
from transpile.translators.loops.symbols.callees import opened
from transpile.translators.loops.symbols.comparisons import compared
from transpile.translators.loops.symbols.directives import without
from transpile.translators.loops.symbols.enclosing_scope import OPAQUE, EnclosingScope, enclosing_scope
from transpile.translators.loops.symbols.expansions import Spelling, expanded, spelled, with_types
from transpile.translators.loops.symbols.parameters import declared
from transpile.translators.loops.symbols.references import with_pointers
from transpile.translators.loops.symbols.registers import without_registers


@dataclass(frozen=True, slots=True)
class Work:
    """A unit, and the form of it that is ported."""

    unit: Unit
    learnt: Contract | None
    """Contract of its calls."""
    contract: Contract | None
    """The same without the lengths of arrays that were but fitted to the data of some runs."""
    around: EnclosingScope
    choice: Choice
    simd: bool
    """Directives for vectors were left out as well as others."""
    spellings: tuple[Spelling, ...] = ()
    """Macros that were expanded in the form that is ported."""
    calls: tuple[Spelling, ...] = ()
    """Calls in the place of which bodies stand in that form."""

    @property
    def written(self) -> Function:
        """Return the function as its author wrote it, but for its directives."""
        return Function(without(self.unit.text.decode("latin-1"), simd=self.simd))

    @property
    def setting(self) -> Setting:
        """Return what nests of the form that is ported stand in."""
        return Setting(self.choice.function, self.choice.variables, self.contract, self.around)

    @property
    def unseen(self) -> tuple[SequentialNest, ...]:
        """Return why a device may not hold its arrays: what runs unseen beside loops may touch them.

        And what runs unseen within loops is a function of the host.
        """
        names = sorted((self.around.opaque | self.around.of_host) & self.written.identifiers)[:1]
        return tuple(
            SequentialNest(part.nest, OPAQUE.format(name)) for name in names for part in self.choice.parts
        )

    def spelled(self, text: str) -> str:
        """Return a text with macros and calls as the source has them."""
        return spelled(spelled(text, self.spellings), self.calls)

    def refused(self, alone: Sequence[SequentialNest]) -> Rejected:
        """Return why nothing of it runs in parallel."""
        return refusal(self.unit, self.choice.function, alone, simd=self.simd)

    def candidate(
        self,
        text: str,
        dialect: Dialect,
        *rules: str,
        headers: Sequence[str] = (),
        binding: Binding | None = None,
        asks: Sequence[Asked] = (),
    ) -> Candidate:
        """Return a port as a candidate, with why it is legal, its macros as the source spells them.

        It is called as the source's function where no binding says how. The first rule names the target.
        """
        names = self.contract.signature.names if self.contract is not None else ()
        return Candidate(
            unit=self.unit.id,
            replacements=(Replacement(unit=self.unit.id, text=self.spelled(text).encode("latin-1")),),
            binding=binding or Binding(name=self.unit.name, arguments=names),
            dialect=dialect,
            headers=tuple(headers),
            asks=tuple(asks),
            origin=ByRules(
                rules=("loops", *rules, *self.choice.rules, *self._supposed()),
                proof=legality(self.choice, self.contract, rules[1:]),
            ),
        )

    def _supposed(self) -> Iterator[str]:
        """Yield what is supposed of arrays that no check can compare."""
        found = (
            text
            for part in self.choice.parts
            if isinstance(part, Band)
            for text in supposed_apart(part, self.contract, self.choice.variables)
        )
        yield from (f"{SUPPOSED}{text}" for text in dict.fromkeys(found))


def work(
    source_: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    *,
    idioms: frozenset[Idiom],
    simd: bool = True,
    asking: bool = False,
    comparing: bool = False,
    opening: bool = False,
) -> Work:
    """Return what is known of a function, without the directives that it has.

    It is worked out once for a proposal and the faster one beside it.

    Args:
        source_: The source.
        unit: The function.
        contracts: Contract of its calls.
        idioms: Those that a target can write.
        simd: Whether directives for vectors go as well.
        asking: Whether a loop may run in parallel only where a check says so.
        comparing: Whether it may do so only where the caller's numbers are not too small.
        opening: Whether bodies may stand in the place of calls, where that frees more.
    """
    contract = agreed(contracts)
    same = Same(source_)
    asks = {"asking": asking, "comparing": comparing}
    plain = _work(same, unit, contract, idioms=idioms, simd=simd, **asks)
    if not opening or all(whole(part) for part in plain.choice.parts):
        return plain
    found = _work(same, unit, contract, idioms=idioms, simd=simd, **asks, opening=True)
    return found if score(found.choice.parts) > score(plain.choice.parts) else plain


@lru_cache(maxsize=8)
def _work(
    same: Same,
    unit: Unit,
    contract: Contract | None,
    *,
    idioms: frozenset[Idiom],
    simd: bool,
    asking: bool,
    comparing: bool,
    opening: bool = False,
) -> Work:
    around = enclosing_scope(same.source, unit, contract)
    around = around.with_readers() if opening else around
    text = without_registers(without(unit.text.decode("latin-1"), simd=simd))
    text, calls = opened(text, around) if opening else (text, ())
    text, macros = expanded(text, around)
    parameters: tuple[Spelling, ...] = ()
    if contract is not None:
        text, parameters = declared(text, contract.signature, around)
    text, references = with_pointers(text, around) if asking else (text, ())
    text, types = with_types(text, around)
    text, comparisons = compared(text)
    choice = chosen(text, contract, around, idioms=idioms, asking=asking, comparing=comparing)
    if calls:
        choice = replace(choice, rules=(*choice.rules, "bodies of called functions"))
    spellings = (*comparisons, *types, *references, *parameters, *macros)
    setting = Setting(choice.function, choice.variables, contract, around)
    return Work(unit, contract, trusted(setting, choice.parts), around, choice, simd, spellings, calls)
