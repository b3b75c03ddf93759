"""The trials once more: a single one that is replayed, or a pool on the files of the assembled port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from transpile import faults
from transpile.assemble.excerpts import Excerpt
from transpile.core import (
    TRAITS,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Rejected,
    Source,
    TranslationUnit,
    Trial,
    Verdict,
)
from transpile.parsers.lowering.companions import beside
from transpile.parsers.lowering.emulation import lowered
from transpile.parsers.lowering.nameless import names_of_several
from transpile.parsers.text.hosts import is_plain
from transpile.testers.checks.again import Again, again, falsified, unreproduced
from transpile.testers.checks.case import Case
from transpile.testers.checks.sanitize import fault_of_source, subset
from transpile.testers.compare.tolerance import allowances
from transpile.testers.differential.differential_run import CONFIGURATIONS, Differential, Failure
from transpile.testers.oracle.validity import Invalid, Reference
from transpile.testers.proposal import Proposal
from transpile.testers.reproduction.scene import Scene
from transpile.testers.run.bench import Entry, binding_for
from transpile.testers.run.policy import barred
from transpile.testers.trials.materialise import POISONS
from transpile.testers.verdict.judgement import decided
from transpile.testers.verdict.session import JudgingSession
from transpile.toolchains.build import BuildFailed, Built, Flavour, build_library
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.entry import Passage, candidate_entries
from transpile.toolchains.function_entry import candidate_calls
from transpile.toolchains.recipes import libraries
from transpile.toolchains.workshop import Workshop

_MOST = 16
_LEFT_OUT = "the file does not compile as it stands, so that the port is built without it"
"""Trials of a pool that are run again on the port: its text was judged, only its surroundings are new."""


class Assembled(Protocol):
    """What is needed of an assembled port."""

    @property
    def files(self) -> Mapping[str, bytes]:
        """Texts by path in the port."""

    @property
    def emulators(self) -> tuple[tuple[str, ...], ...]:
        """Macros, without ``-D``, of each emulator that it is built on."""

    @property
    def translation_units(self) -> tuple[TranslationUnit, ...]:
        """What the port's build compiles."""

    @property
    def excerpts(self) -> Mapping[str, Excerpt]:
        """Parts that are built here of translation units that lack headers, by path."""

    @property
    def paths(self) -> Mapping[str, str]:
        """The port's path of each file of the source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What one trial shows, and what it takes to show it without us."""

    verdict: Verdict
    scene: Scene | None = None
    """None where no call was made, or where only we can show it."""


def replay(
    workshop: Workshop,
    source: Source,
    proposal: Proposal,
    trial: Trial,
    before: Sequence[Trial] | None = None,
) -> Replayed:
    """Return what one trial shows of a candidate, under every check.

    Args:
        workshop: Where to build and run.
        source: What the candidate was made from.
        proposal: The candidate.
        trial: What to try.
        before: Of a counterexample, the calls that go ahead of it in the same process.
    """
    refused = barred(source, proposal)
    if refused is not None:
        return Replayed(verdict=refused)
    with closing(JudgingSession.of(workshop, source, proposal.unit.translation_unit, [proposal])) as session:
        return _replayed(session, proposal, trial, before)


def _replayed(
    session: JudgingSession, proposal: Proposal, trial: Trial, before: Sequence[Trial] | None
) -> Replayed:
    contract = next(
        (item for item in proposal.contracts if item.signature.form == trial.template_arguments),
        None,
    )
    if contract is None:
        reason = f"no contract is for <{trial.template_arguments}>"
        return Replayed(verdict=Inconclusive(reason=reason))
    for reading in reversed(session.readings(proposal)):
        found = _shown_by(session.judgement(reading, contract), trial, before)
        if not isinstance(found.verdict, Passed):
            break
    return found


def _shown_by(case: Case, trial: Trial, before: Sequence[Trial] | None) -> Replayed:
    """Return what one trial shows of a candidate as the compilers of one model read it."""
    shown = again(case, trial, before or (), crowded=before is not None)
    if not isinstance(shown, Again):
        return Replayed(verdict=shown)
    match shown.found:
        case Failure() as failure:
            # What needs other calls ahead of it has no test that stands alone.
            scene = None if before else _scene(case, shown.differential, failure.reference, failure)
            return Replayed(verdict=falsified(failure), scene=scene)
        case found:
            scene = _scene(case, shown.differential, shown.reference, None)
            return Replayed(verdict=found or _agreed(1), scene=scene)


def _scene(
    case: Case, differential: Differential, reference: Reference, failure: Failure | None
) -> Scene | None:
    """Return a trial with everything that a program of its own needs, where one can show what it shows."""
    if any(TRAITS[model].defines for model in case.proposal.candidate.dialect.models):
        return None  # source and candidate are built on emulators that differ, and a test holds one
    raced = failure is not None and failure.difference.check == "race"
    if raced and case.proposal.candidate.dialect.traits.emulated:
        return None  # a race on the emulator is seen by tracing every access, which a plain build does not
    if failure is not None and failure.difference.check == "offload":
        return None  # memory of the host that a device reaches is out of its reach in our worker alone
    configuration = failure.configuration if failure is not None else CONFIGURATIONS[0]
    calibration = case.baseline.calibration
    measured = None if reference.exact else calibration.of(reference, differential.pool)
    source = reference.results[POISONS.index(configuration.poison)]
    return Scene(
        source=case.bench.source,
        proposal=case.proposal,
        compilation=case.bench.candidates.alone(case.proposal, in_cpp=True),
        reference=reference,
        configuration=configuration,
        difference=failure.difference if failure is not None else None,
        allowances={}
        if measured is None
        else allowances(
            reference.prepared.slots, source, measured, calibration.errors_at(reference), reference.written
        ),
    )


def _agreed(trials: int) -> Passed:
    """Return that trials agree; alone they make no level."""
    return Passed(guarantee=Guarantee(level=Level.BUILT, trials=trials, checks=("trials",)))


def confirm(
    workshop: Workshop,
    source: Source,
    assembly: Assembled,
    proposals: Sequence[Proposal],
    pools: Sequence[Sequence[Trial]],
) -> list[Verdict]:
    """Return for each kept candidate whether it still agrees within the assembled port."""

    def together(some: Sequence[tuple[Proposal, Sequence[Trial]]]) -> list[Verdict]:
        return _confirmed_all(workshop, source, assembly, *zip(*some, strict=True)) if some else []

    kept = list(zip(proposals, pools, strict=True))
    return faults.isolated(kept, together, lambda _, why: why, "running trials again on the port")


def _confirmed_all(
    workshop: Workshop,
    source: Source,
    assembly: Assembled,
    proposals: Sequence[Proposal],
    pools: Sequence[Sequence[Trial]],
) -> list[Verdict]:
    """Return the same of candidates that share what the files of each have in common."""
    groups: dict[str, list[int]] = {}
    for number, proposal in enumerate(proposals):
        groups.setdefault(proposal.unit.translation_unit, []).append(number)
    found: dict[int, Verdict] = {}
    compiled = {unit.path for unit in assembly.translation_units}
    for path, numbers in groups.items():
        if assembly.paths[path] not in compiled:
            found |= dict.fromkeys(numbers, Inconclusive(reason=_LEFT_OUT, code="TP504"))
            continue
        chosen = [proposals[number] for number in numbers]
        libraries = [
            _port_library(workshop, source, assembly, path, chosen, defines) for defines in assembly.emulators
        ]
        with closing(JudgingSession.of(workshop, source, path, chosen)) as session:
            for number in numbers:
                found[number] = _stands(session, libraries, chosen, proposals[number], pools[number])
    return [found[number] for number in range(len(proposals))]


def _stands(
    session: JudgingSession,
    libraries: Sequence[Built | BuildFailed],
    proposals: Sequence[Proposal],
    proposal: Proposal,
    pool: Sequence[Trial],
) -> Verdict:
    """Return whether a candidate agrees in every library of its file: a pass of the first, or a refusal."""
    verdicts = []
    for library in libraries:
        if isinstance(library, BuildFailed):
            return _refused(proposal, library)
        verdicts.append(_confirmed(session, library, proposals, proposal, pool))
    return next((item for item in verdicts if not isinstance(item, Passed)), verdicts[0])


def _port_library(
    workshop: Workshop,
    source: Source,
    assembly: Assembled,
    path: str,
    proposals: Sequence[Proposal],
    defines: tuple[str, ...],
) -> Built | BuildFailed:
    where = assembly.paths[path]
    unit = next(item for item in assembly.translation_units if item.path == where)
    passages = [
        Passage(
            signature=contract.signature,
            binding=binding_for(item.candidate, contract.signature),
            namespace="",
        )
        for item in proposals
        for contract in item.contracts
    ]
    shared = names_of_several(source, path)
    plain = is_plain(source.units, path)
    emulated = proposals[0].candidate.dialect.traits.emulated
    files = lowered(assembly.files) if emulated else assembly.files
    made = Compilation(
        files=assembly.excerpts[where].of(files, unit) if where in assembly.excerpts else files,
        unit=unit,
        entries=candidate_calls(passages) if plain else candidate_entries(passages, shared),
        emulated=emulated,
        defines=defines,
    )
    return build_library(
        workshop,
        made,
        Flavour.SHIPPED,
        libraries=libraries(proposals[0].candidate.dialect.model),
        beside=beside(workshop, source, path, Flavour.SHIPPED, defines),
    )


def _refused(proposal: Proposal, failed: BuildFailed) -> Rejected:
    message = f"the file of the port does not compile for its trials: {failed.complaint}"
    diagnostic = proposal.unit.diagnostic("TP501", message, hint=failed.output[-1000:])
    return Rejected(stage="assemble", diagnostics=(diagnostic,))


def _confirmed(
    session: JudgingSession,
    library: Built,
    proposals: Sequence[Proposal],
    proposal: Proposal,
    pool: Sequence[Trial],
) -> Verdict:
    agreed = 0
    index = sum(len(item.contracts) for item in proposals[: proposals.index(proposal)])
    for offset, contract in enumerate(proposal.contracts):
        case = session.judgement(proposal, contract)
        own = [trial for trial in pool if trial.template_arguments == contract.signature.form]
        carved = [trial for trial in own if trial.carved]
        chosen = [*subset([trial for trial in own if not trial.carved], _MOST), *carved]
        examined = case.baseline.examiner.examine(chosen)
        if isinstance(examined, BuildFailed):
            reason = f"the source does not build on the emulator: {examined.complaint}"
            return Inconclusive(reason=reason, code="TP403")
        references = [item for item in examined if isinstance(item, Reference)]
        lost = [item for item in examined if isinstance(item, Invalid) and item.trial in carved]
        if len(lost) == len(carved) > 0:
            reason = f"no carved call could be repeated: the source {lost[0].flaw.value} ({lost[0].detail})"
            return Inconclusive(reason=reason, code="TP513")
        if not references:
            return Inconclusive(reason="no trial could be repeated on the port")
        differential = Differential(
            session.workshop,
            Entry(library=library, index=index + offset),
            case.baseline.calibration,
            references,
        )
        failure = _failure(session, differential)
        if not differential.pool:
            return Inconclusive(
                reason="the source itself has undefined behaviour on all trials", code="TP413"
            )
        if failure is not None:
            example = falsified(failure)
            # Made again, with all the calls that went ahead of it.
            return example if differential.run_all() is not None else unreproduced(example.counterexample)
        agreed += len(decided(differential))
    return _agreed(agreed)


def _failure(session: JudgingSession, differential: Differential) -> Failure | None:
    """Return the first failure; trials on which the source itself is at fault are dropped.

    Flags of the port may make something else of what is undefined, such as a shift by all bits of a type.
    """
    while differential.pool and (failure := differential.run_all()) is not None:
        if not fault_of_source(session.workshop, session.sources, failure.reference):
            return failure
        differential.drop_undefined(failure.reference)
    return None
