"""Ports made by hand, for whatever shows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from transpile.core import (
    OPENMP,
    Attempt,
    Binding,
    Candidate,
    Claim,
    Counterexample,
    Diagnostic,
    Evidence,
    Falsified,
    Guarantee,
    Inconclusive,
    Launch,
    Level,
    Optimization,
    Passed,
    Port,
    ProgramVerdict,
    Proof,
    Rejected,
    Replacement,
    Rival,
    Selection,
    Severity,
    Span,
    Speedup,
    Step,
    Trial,
    Unit,
    UnitKind,
    Verdict,
)

TRIAL = Trial(
    seed=5, fill="exact", scalars=(("n", 17), ("x", 0.5)), launch=Launch(grid=(2, 1, 1), block=(4, 2, 1))
)
PASSED = Passed(
    guarantee=Guarantee(
        level=Level.TESTED, trials=120, checks=("exact", "race"), coverage=0.99, tolerance="exact"
    )
)
PROVED = Passed(
    guarantee=replace(
        PASSED.guarantee,
        proof=Proof(
            claims=(Claim.PARALLEL, Claim.AGREES), assumptions=("arrays do not overlap",), seconds=0.5
        ),
    )
)
SPEEDUP = Speedup(
    ratio=2.0,
    low=1.5,
    high=2.5,
    before=2e-3,
    after=1e-3,
    blocks=24,
    inputs=("n = 4096",),
    threads=2,
    load=0.5,
)
OPTIMIZED = Optimization(
    steps=(
        Step(transformation="tile", digest="d1", outcome="applied", speedup=SPEEDUP),
        Step(transformation="fuse", digest="d2", outcome="refused", reason="It does not compile."),
    ),
    speedup=SPEEDUP,
)
SELECTED = Selection(
    rivals=(
        Rival(rules=("loops", "openmp"), made="d3", outcome="taken", speedup=SPEEDUP),
        Rival(rules=("loops", "fused"), made="d4", outcome="not timed", reason="it does not build"),
    ),
    source=SPEEDUP,
)
BUILT = Passed(guarantee=Guarantee(level=Level.BUILT, trials=0, checks=()))
FALSIFIED = Falsified(
    counterexample=Counterexample(trial=TRIAL, where="out[17]", expected="1", got="2", check="exact"),
    trials=3,
)
REJECTED = Rejected(
    stage="translate",
    diagnostics=(
        Diagnostic(
            code="TP201",
            severity=Severity.ERROR,
            path="src/b.cu",
            line=9,
            column=4,
            message="texture",
            hint="no",
        ),
    ),
)
UNDECIDED = Inconclusive(reason="source is racy", code="TP403")


def evidence(name: str, verdict: Verdict, *, kind: UnitKind = UnitKind.KERNEL, line: int = 3) -> Evidence:
    text = f"__global__ void {name}(int n) {{}}".encode()
    identifier = f"src/a.cu::{name}(int)"
    candidate = Candidate(
        unit=identifier,
        replacements=(Replacement(unit=identifier, text=f"void {name}(int n) {{}}".encode()),),
        binding=Binding(name=name, arguments=("n",)),
    )
    return Evidence(
        unit=Unit(
            id=identifier,
            kind=kind,
            path="src/a.cu",
            name=name,
            span=Span(start=0, end=len(text)),
            line=line,
            text=text,
        ),
        contracts=(),
        attempts=(Attempt(candidate=None if verdict == REJECTED else candidate, verdict=verdict),),
        pool=(TRIAL,),
        seconds=1.234,
        id="0123456789ab",
    )


def port(*verdicts: Verdict, programs: tuple[ProgramVerdict, ...] = (), built: bool = True) -> Port:
    found = tuple(evidence(f"k{number}", verdict) for number, verdict in enumerate(verdicts))
    return Port(
        source=Path("/somewhere/source"),
        out=Path("/somewhere/out"),
        dialect=OPENMP,
        required=Level.TESTED,
        evidence=found,
        programs=programs,
        build_command="make",
        built=built,
        places={item.unit.id: "src/a.cpp" for item in found},
        store=Path("/somewhere/evidence"),
    )
