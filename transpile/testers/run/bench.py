"""Calls of what was built, and candidates: one library a flavour for all that are judged of a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from transpile.assemble.hip import defines
from transpile.core import Binding, Candidate, Contract, Signature, Source, TranslationUnit
from transpile.parsers.lowering.companions import beside
from transpile.parsers.lowering.emulation import candidate_name, candidate_namespace, lower
from transpile.parsers.lowering.excerpts import excerpt
from transpile.parsers.lowering.nameless import names_of_several
from transpile.testers.proposal import Proposal
from transpile.testers.run.builds import Builds
from transpile.testers.run.compilation import FIRST_LINE, CandidateCompilation, Standing, as_built, as_counted
from transpile.testers.run.places import candidate_place, surroundings
from transpile.testers.text.conversions import WIDE
from transpile.testers.text.cut_numbers import Cut, cuts_by_namespace, spaces_of
from transpile.testers.text.narrow_arithmetic import Arithmetic, arithmetic_in, sizes_of
from transpile.testers.text.widths import widths
from transpile.testers.trials.layout import Bytes
from transpile.testers.trials.materialise import POISONS, Prepared, Slot
from transpile.toolchains.build import BuildFailed, Built, Flavour, assembly, build_library, remarks
from transpile.toolchains.calls import UNALTERED, Altered, Site
from transpile.toolchains.entry import Passage, candidate_entries
from transpile.toolchains.function_entry import candidate_calls
from transpile.toolchains.recipes import LANES, ROUNDING, libraries
from transpile.toolchains.worker import (
    UNINSTRUMENTED,
    USUAL_RESTARTS,
    Call,
    Completed,
    Crashed,
    Instrumentation,
    Placement,
    RestartPolicy,
    Trace,
    run,
)
from transpile.toolchains.workshop import Workshop

_TYPEDEF = re.compile(rb"\btypedef\b")
_TEMPLATE = re.compile(rb"^\s*template\s*<", re.MULTILINE)
_BLAMED = re.compile(rf"\b{candidate_namespace(0)}(?:_(\d+))?(?:::|__)")

SHELF = 64
"""Candidates that are built in one library."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A call that came back."""

    results: tuple[Bytes, ...]
    """What every slot of the trial holds afterwards."""
    inexact: bool
    """Some operation had to round."""
    seconds: float
    """Of processors."""
    elapsed: float = 0.0
    """Seconds by the clock on the wall."""
    work: int = 0
    """Accesses and branches of a traced call."""
    sites: tuple[Site, ...] = ()
    """Kernels and parallel regions that ran."""
    held: int = 0
    """Bytes of memory that it took and did not give back, as far as the build knows."""
    altered: Altered = UNALTERED
    """Changes beside its data."""
    alignment: int = 1
    """That pointers into guarded arrays had to have; unless 1, a few bytes behind arrays had no guard."""
    trace: Trace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One function of a library."""

    library: Built
    index: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfiguration:
    """How calls are made."""

    placement: Placement
    poison: int = POISONS[0]
    threads: int = 1
    given: int = 0
    """Threads that a region gets at most, as within another region; 0: as many as there are."""
    lanes: int = 64
    """Of a warp, where the candidate is HIP."""
    seed: int = 0
    """Of the emulator's schedule; 0 is forward."""
    whole_rows: bool = False
    """Arrays of rows end with the last row, and not with the last element that the source touches."""
    fixed: bool = False
    """Guarded arrays that the source only reads cannot be written, not even with what they hold."""
    rounding: Literal["", "up", "down"] = ""
    """Direction in which operations round, but for those that make whole numbers; usually none."""


def call(
    workshop: Workshop,
    entry: Entry,
    trials: Sequence[Prepared],
    configuration: RunConfiguration,
    *,
    coverage: Path | None = None,
    observer: Sequence[str] = (),
) -> list[Outcome | Crashed]:
    """Call a function with each trial, in one process as long as it survives.

    Args:
        workshop: Where and how long.
        entry: The function.
        trials: What to call it with.
        configuration: How.
        coverage: Where a traced library adds its branch counts.
        observer: A program of ours that watches the process.
    """
    calls = [(entry.index, trial) for trial in trials]
    instrumentation = Instrumentation(coverage=coverage, observer=observer)
    return call_each(workshop, entry.library, calls, configuration, instrumentation=instrumentation)


def call_each(
    workshop: Workshop,
    library: Built,
    calls: Sequence[tuple[int, Prepared]],
    configuration: RunConfiguration,
    *,
    instrumentation: Instrumentation = UNINSTRUMENTED,
    restarts: RestartPolicy = USUAL_RESTARTS,
) -> list[Outcome | Crashed]:
    """Call functions of one library, each named by its index, in one process as long as it survives."""
    if not calls:
        return []
    results = run(
        workshop,
        library,
        [_call(index, trial, configuration) for index, trial in calls],
        placement=configuration.placement,
        threads=configuration.threads,
        environment=_environment(configuration),
        instrumentation=instrumentation,
        restarts=restarts,
    )
    return [
        _outcome(trial, result) if isinstance(result, Completed) else result
        for (_, trial), result in zip(calls, results, strict=True)
    ]


def _environment(configuration: RunConfiguration) -> dict[str, str]:
    limited = {"OMP_THREAD_LIMIT": str(configuration.given)} if configuration.given else {}
    directed = {ROUNDING: configuration.rounding} if configuration.rounding else {}
    return {LANES: str(configuration.lanes), **limited, **directed}


def _call(index: int, prepared: Prepared, configuration: RunConfiguration) -> Call:
    return Call(
        entry=index,
        arguments=tuple(
            _placed(slot, configuration) if slot.pointer else slot.data.tobytes()
            for slot in prepared.arguments
        ),
        before=tuple(slot.before for slot in prepared.arguments),
        launch=prepared.trial.launch,
        seed=configuration.seed,
        globals=tuple((slot.name, slot.data.tobytes()) for slot in prepared.globals),
        returns=sum(len(slot.data) for slot in prepared.returned),
        aliases=tuple(
            (number, slot.alias) for number, slot in enumerate(prepared.arguments) if slot.alias is not None
        ),
        null=frozenset(number for number, slot in enumerate(prepared.arguments) if slot.null),
        fixed=frozenset(
            number for number, slot in enumerate(prepared.arguments) if configuration.fixed and slot.fixed
        ),
    )


def _placed(slot: Slot, configuration: RunConfiguration) -> Bytes:
    data = slot.poisoned(configuration.poison)
    return np.pad(data, (0, -len(data) % slot.row)) if configuration.whole_rows else data


def _outcome(prepared: Prepared, completed: Completed) -> Outcome:
    buffers = [
        data[: len(slot.data)]
        for slot, data in zip(prepared.arguments, completed.arguments, strict=True)
        if slot.pointer
    ]
    values = [data for _, data in completed.globals] + [completed.returned] * len(prepared.returned)
    return Outcome(
        results=(*buffers, *(np.frombuffer(data, dtype=np.uint8) for data in values)),
        inexact=completed.inexact,
        seconds=completed.seconds,
        elapsed=completed.elapsed,
        work=completed.work,
        sites=completed.sites,
        held=completed.held,
        altered=completed.altered,
        alignment=completed.alignment,
        trace=completed.trace,
    )


def _isolable(candidate: Candidate) -> bool:
    """Tell whether host and device memory may be kept apart: thrust's containers hold memory of both."""
    texts = (*(item.text for item in candidate.replacements), *map(str.encode, candidate.headers))
    return not any(b"thrust" in text for text in texts)


class CandidateBench:
    """Candidates for kernels of one translation unit, each within the text of its source."""

    def __init__(
        self,
        workshop: Workshop,
        source: Source,
        unit: TranslationUnit,
        proposals: Sequence[Proposal],
        plain: CandidateBench | None = None,
    ) -> None:
        """Keep the proposals; nothing is built before it is asked for.

        Args:
            workshop: Where to build.
            source: What the candidates were made from.
            unit: The file that holds their units.
            proposals: The candidates.
            plain: Where they were built before, among others, without any checker.
        """
        self.workshop = workshop
        self._source = source
        self._unit = unit
        self._shelves: dict[int, tuple[Proposal, ...]] = {}
        """By identity of a proposal, all that are built with it."""
        for dialect in dict.fromkeys(item.candidate.dialect for item in proposals):
            alike = [item for item in proposals if item.candidate.dialect == dialect]
            for item in filter(_names_types, alike):
                self._shelve([item])
            alike = [item for item in alike if not _names_types(item)]
            for start in range(0, len(alike), SHELF):
                self._shelve(alike[start : start + SHELF])
        self._builds = Builds()
        self._cuts: dict[tuple[int, ...], list[frozenset[Cut]]] = {}
        self._arithmetic: dict[tuple[int, Signature], Arithmetic] = {}
        self._plain = plain

    def begin(self, proposal: Proposal, *flavours: Flavour) -> None:
        """Start builds that will be wanted."""
        shelf = self._shelves[id(proposal)]
        for flavour in flavours:
            self._builds.begin((_key(shelf), flavour), partial(self._build, shelf, flavour))

    def entry(self, proposal: Proposal, signature: Signature, flavour: Flavour) -> Entry | BuildFailed:
        """Return a candidate in a flavour; a build that fails says nothing of the others in its library."""
        if flavour is Flavour.PLAIN and self._plain is not None:
            return self._plain.entry(proposal, signature, flavour)
        shelf = self._shelves[id(proposal)]
        built = self._builds.get((_key(shelf), flavour), partial(self._build, shelf, flavour))
        if isinstance(built, BuildFailed) and len(shelf) > 1:
            self._part(shelf, built)
            return self.entry(proposal, signature, flavour)
        if isinstance(built, BuildFailed):
            return built
        return Entry(library=built, index=_index(shelf, proposal, signature))

    def close(self) -> None:
        """Start no further build."""
        self._builds.close()

    def _shelve(self, proposals: Sequence[Proposal]) -> None:
        shelf = tuple(proposals)
        self._shelves.update({id(item): shelf for item in shelf})

    def _part(self, shelf: Sequence[Proposal], failed: BuildFailed) -> None:
        """Build alone what the compiler complains of; where it names nothing of use, halve."""
        blamed = {int(number or 0) for number in _BLAMED.findall(failed.output)}
        groups = compatible(shelf)
        guilty = {id(item) for number, group in enumerate(groups) if number in blamed for item in group}
        if not guilty or len(guilty) == len(shelf):
            middle = len(shelf) // 2
            self._shelve(shelf[:middle])
            self._shelve(shelf[middle:])
            return
        self._shelve([item for item in shelf if id(item) not in guilty])
        for item in shelf:
            if id(item) in guilty:
                self._shelve([item])

    def assembly(self, proposals: Sequence[Proposal], flavour: Flavour) -> str | BuildFailed:
        """Return the assembly text of some candidates, each in the namespace of its number among them."""
        groups = [(item,) for item in proposals]
        return assembly(self.workshop, self._compilation(proposals, groups), flavour)

    def remarks(self, proposal: Proposal) -> str:
        """Return what the compiler says of the loops of a file that holds this candidate alone."""
        said = remarks(self.workshop, self.alone(proposal))
        return said if isinstance(said, str) else ""

    def index_widths(self, proposal: Proposal) -> dict[str, frozenset[int]]:
        """Return the sizes of the types by which a candidate indexes the arrays of its source."""
        made = self.alone(proposal)
        binding = proposal.candidate.binding
        named = {
            position: text.strip()
            for position, text in enumerate(binding.arguments)
            if text.strip().isidentifier()
        }
        function, space = binding.name.rpartition("::")[2], candidate_namespace(0)
        if made.in_c:
            function, space = candidate_name(function, 0), ""
        root, plain = self._source.root, not made.emulated
        small = {
            item.name
            for item in proposal.contracts[0].signature.parameters
            if not item.pointer and item.element is not None and item.element.size < WIDE
        }
        narrow = [position for position, name in named.items() if name in small]
        return widths(
            root, made.files, made.unit, function, named, namespace=space, plain=plain, narrow=narrow
        )

    def cuts(self, proposal: Proposal) -> frozenset[Cut]:
        """Return what a candidate does to numbers; others of its unit in its library are read at once."""
        shelf = self._shelves[id(proposal)]
        groups = compatible(shelf)
        if any(len(group) > 1 for group in groups):  # A namespace holds candidates of several units.
            return self._cut(self.alone(proposal), 1)[0]
        if _key(shelf) not in self._cuts:
            self._cuts[_key(shelf)] = self._cut(self._compilation(shelf, groups), len(groups))
        number = next(at for at, [item] in enumerate(groups) if item is proposal)
        return self._cuts[_key(shelf)][number]

    def arithmetic(self, proposal: Proposal, signature: Signature) -> Arithmetic:
        """Return what a candidate does to the sizes that its source takes, by the source's names."""
        key = (id(proposal), signature)
        if key not in self._arithmetic:
            self._arithmetic[key] = self._read_arithmetic(proposal, signature)
        return self._arithmetic[key]

    def _read_arithmetic(self, proposal: Proposal, signature: Signature) -> Arithmetic:
        made = self.alone(proposal)
        binding, sizes = proposal.candidate.binding, sizes_of(signature)
        parameters = {at: text.strip() for at, text in enumerate(binding.arguments) if text.strip() in sizes}
        own, space = binding.name.rpartition("::")[2], candidate_namespace(0)
        own = candidate_name(own, 0) if made.in_c else own

        def named(function: Any) -> dict[int, str] | None:
            if space not in spaces_of(function):
                return None
            return parameters if function.spelling == own else {}

        wide = [name for name, size in sizes.items() if size == WIDE]
        return arithmetic_in(self._source.root, made.files, made.unit, named, wide, plain=not made.emulated)

    def _cut(self, made: CandidateCompilation, count: int) -> list[frozenset[Cut]]:
        """Return what the candidates of a text do to numbers, by their places."""
        spaces = [candidate_namespace(number) for number in range(count)]
        root, plain = self._source.root, not made.emulated
        found = cuts_by_namespace(root, made.files, made.unit, spaces, plain=plain)
        return [found[space] for space in spaces]

    def texts(self, proposal: Proposal) -> dict[str, bytes]:
        """Return the files that a candidate is built from, as the compiler counts their lines."""
        shelf = self._shelves[id(proposal)]
        return as_counted(self._compilation(shelf, compatible(shelf)))

    def place(self, proposal: Proposal) -> Standing:
        """Return where a candidate stands in what it is built from."""
        shelf = self._shelves[id(proposal)]
        groups = compatible(shelf)
        made = self._compilation(shelf, groups)
        own = proposal.unit.path
        path = made.unit.path if own == self._unit.path else own
        number = next(at for at, group in enumerate(groups) if any(item is proposal for item in group))
        data, name = as_counted(made)[path], proposal.candidate.binding.name.rpartition("::")[2]
        return Standing(
            path=path,
            data=data,
            namespace=candidate_namespace(number),
            made=made,
            name=candidate_name(name, number) if made.in_c else name,
            before=made.files[path].count(b"\n") - data.count(b"\n"),
        )

    def alone(self, proposal: Proposal, *, in_cpp: bool = False) -> CandidateCompilation:
        """Return what is compiled where one candidate stands alone."""
        return self._compilation((proposal,), ((proposal,),), in_cpp=in_cpp)

    def _build(self, shelf: Sequence[Proposal], flavour: Flavour) -> Built | BuildFailed:
        dialect = shelf[0].candidate.dialect
        chosen = defines(self._source, dialect)
        build = partial(
            build_library,
            self.workshop,
            flavour=flavour,
            libraries=libraries(dialect.model),
            beside=beside(self.workshop, self._source, self._unit.path, flavour, chosen),
        )
        built = build(self._compilation(shelf, compatible(shelf), flavour))
        if isinstance(built, BuildFailed) and flavour is Flavour.COVER and len(shelf) == 1:
            # Values of types of their own are compared, such as vectors: no branch is made of that.
            return build(self._compilation(shelf, compatible(shelf)))
        return built

    def _compilation(
        self,
        shelf: Sequence[Proposal],
        groups: Sequence[Sequence[Proposal]],
        flavour: Flavour = Flavour.PLAIN,
        *,
        in_cpp: bool = False,
    ) -> CandidateCompilation:
        """Return the files with the candidates in them, each group in a namespace, and the entries.

        Args:
            shelf: The candidates.
            groups: Them again: of one group no unit has two texts.
            flavour: The build that they are for.
            in_cpp: In C++, whatever the source is.
        """
        insertions = [self._texts(group, flavour) for group in groups]
        dialect = shelf[0].candidate.dialect
        around = surroundings(excerpt(self._source), dialect)
        place = candidate_place(around, self._unit, insertions, dialect, in_cpp=in_cpp)
        files = lower(around, insertions=insertions, without=place.without, rename_main=True, in_c=place.in_c)
        headers = sorted({header for item in shelf for header in item.candidate.headers})
        included = b"".join(b"#include %s\n" % header.encode() for header in headers)
        files = place.read(files, self._unit.path)
        files[place.unit.path] = included + FIRST_LINE + files[place.unit.path]
        numbers = {id(item): number for number, group in enumerate(groups) for item in group}
        passages = [
            _passage(item, contract, numbers[id(item)], in_c=place.in_c)
            for item in shelf
            for contract in item.contracts
        ]
        shared = names_of_several(self._source, self._unit.path)
        return CandidateCompilation(
            files=files,
            unit=place.unit,
            entries=candidate_calls(passages) if place.plain else candidate_entries(passages, shared),
            emulated=not place.plain or dialect.traits.emulated,
            defines=defines(self._source, dialect),
            plain=place.plain,
            in_c=place.in_c,
        )

    def _texts(self, group: Sequence[Proposal], flavour: Flavour) -> dict[str, bytes]:
        return {
            replacement.unit: as_built(replacement.text, item, flavour)
            for item in group
            for replacement in item.candidate.replacements
            # A class cannot be there twice: what it defines stays the source's until the port is rerun.
            if not self._source.unit(replacement.unit).member
        }


def _passage(item: Proposal, contract: Contract, number: int, *, in_c: bool) -> Passage:
    """Return the way to a candidate that is inserted with that number."""
    binding = binding_for(item.candidate, contract.signature)
    return Passage(
        signature=contract.signature,
        binding=replace(binding, name=candidate_name(binding.name, number)) if in_c else binding,
        namespace="" if in_c else candidate_namespace(number),
        isolated=_isolable(item.candidate),
    )


def _names_types(proposal: Proposal) -> bool:
    """Tell whether a candidate gives names to types: in C, they hold for whatever follows in its library."""
    return any(_TYPEDEF.search(item.text) is not None for item in proposal.candidate.replacements)


def _key(shelf: Sequence[Proposal]) -> tuple[int, ...]:
    return tuple(id(item) for item in shelf)


def binding_for(candidate: Candidate, signature: Signature) -> Binding:
    """Return the binding for one instantiation: a candidate that is a template takes that one's arguments."""
    own = next(item.text for item in candidate.replacements if item.unit == candidate.unit)
    if candidate.binding.template_arguments is None and not _TEMPLATE.search(own):
        return candidate.binding
    return replace(candidate.binding, template_arguments=signature.template_arguments)


def compatible(proposals: Sequence[Proposal]) -> list[tuple[Proposal, ...]]:
    """Group proposals so that within a group no unit has two different texts."""
    groups: list[tuple[list[Proposal], dict[str, bytes]]] = []
    for item in proposals:
        texts = {replacement.unit: replacement.text for replacement in item.candidate.replacements}
        for members, known in groups:
            own = item.unit.id not in {member.unit.id for member in members}
            if own and all(known.get(unit, text) == text for unit, text in texts.items()):
                members.append(item)
                known.update(texts)
                break
        else:
            groups.append(([item], dict(texts)))
    return [tuple(members) for members, _ in groups]


def _index(group: Sequence[Proposal], proposal: Proposal, signature: Signature) -> int:
    index = 0
    for item in group:
        for contract in item.contracts:
            if item is proposal and contract.signature == signature:
                return index
            index += 1
    raise KeyError(signature.callable)
