"""Port program folders, build each port with its own build file and run it with small arguments.

    python benchmarks/hecbench.py FOLDER [--to openmp|hip] [--only NAME ...]
                                  [--jobs N] [--cache DIR] [--out DIR]

FOLDER holds one folder a program (``<name>-cuda``), which may read those beside it (``--allow-read FOLDER``).
A program counts where its port builds and prints PASS. Those that finish with status 0 and print neither PASS
nor FAIL are listed apart. A port to HIP, every kernel in it, counts where its runs on warps of 64 and of 32
lanes agree with the source's; who compiled it is told.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile import pipeline
from transpile.core import HIP, OPENMP, Evidence, Falsified, Inconclusive, Level, Passed, Port, Rejected
from transpile.errors import TranspileError
from transpile.options import PortOptions, Silent
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.sandbox import Finished, execute

ARGUMENTS = tomllib.loads((Path(__file__).parent / "hecbench_arguments.toml").read_text())


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one program."""

    name: str
    status: str
    """pass, finished, failed, not shown, or the step that went wrong."""
    evidence: tuple[Evidence, ...] = ()
    detail: str = ""
    seconds: float = 0.0


def main() -> None:
    """Print a line a program, then the totals and the reasons."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", choices=[OPENMP.model.value, HIP.model.value], default=OPENMP.model.value)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--out", type=Path, default=Path("build/hecbench"))
    arguments = parser.parse_args()
    folders = sorted(path for path in arguments.folder.iterdir() if path.name.endswith("-cuda"))
    outcomes = []
    for folder in folders:
        name = folder.name.removesuffix("-cuda")
        if arguments.only and name not in arguments.only:
            continue
        outcome = run_one(folder, name, arguments)
        outcomes.append(outcome)
        kept = sum(item.kept(Level.TESTED) for item in outcome.evidence)
        print(
            f"{name:22} {outcome.status:10} kernels {kept}/{len(outcome.evidence)}"
            f" {outcome.seconds:6.1f} s  {outcome.detail}",
            flush=True,
        )
        for item in outcome.evidence:
            if not item.kept(Level.TESTED):
                print(f"    {item.unit.name}: {why(item)}", flush=True)
    total(outcomes)


def run_one(folder: Path, name: str, arguments: argparse.Namespace) -> Outcome:
    """Port, build and run one program; a failure of ours is an outcome as well."""
    begun = time.monotonic()
    out = arguments.out / name
    small = tuple(str(word) for word in ARGUMENTS.get(name, []))
    hip = arguments.to == HIP.model.value
    options = PortOptions(
        cache=arguments.cache,
        out=out,
        jobs=arguments.jobs,
        runs=(("./main", *small),),
        target=HIP if hip else OPENMP,
        unproven=hip,
        opened=(folder.parent.resolve(),),
    )
    try:
        port = pipeline.port(folder, options, Silent())
    except TranspileError as error:
        return Outcome(name=name, status="error", detail=str(error), seconds=time.monotonic() - begun)
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        return Outcome(name=name, status="crash", detail=repr(error), seconds=time.monotonic() - begun)
    status, detail = judged(port) if hip else build_and_run(out, small)
    return Outcome(
        name=name, status=status, evidence=port.evidence, detail=detail, seconds=time.monotonic() - begun
    )


def judged(port: Port) -> tuple[str, str]:
    """Return what the runs of a port to HIP have shown, and who compiled it."""
    if not port.built:
        return "no build", port.built_by
    if not port.programs:
        return "no program", port.built_by
    match port.programs[0].verdict:
        case Passed():
            return "pass", port.built_by
        case Falsified(counterexample=example):
            return "failed", f"{example.where}: {example.expected} != {example.got} ({port.built_by})"
        case Inconclusive(reason=reason):
            return "not shown", f"{reason} ({port.built_by})"
        case Rejected():
            return "refused", port.built_by


def build_and_run(out: Path, small: Sequence[str]) -> tuple[str, str]:
    """Build the port as a user would, run it, and read its own verdict."""
    made = subprocess.run(["make", "-C", str(out)], capture_output=True, text=True, timeout=600)
    if made.returncode != 0:
        errors = [line for line in made.stderr.splitlines() if "error" in line]
        return "no build", (errors or ["make failed"])[0][:200]
    finished = execute(
        [str((out / "main").resolve()), *small],
        profile=Profile.RUN,
        mounts=Mounts(cwd=out.resolve(), readable=[out.resolve()]),
        quota=Quota(timeout=60, memory=8 << 30),
        environment={"OMP_THREAD_LIMIT": "2", "OMP_TARGET_OFFLOAD": "DISABLED"},
    )
    return ended(finished)


def ended(finished: Finished) -> tuple[str, str]:
    """Return how a run ends, by its own verdict, and why where it failed."""
    text = finished.stdout.decode("utf-8", "replace")
    if finished.timed_out:
        return "timeout", ""
    if finished.status != 0:
        said = finished.stderr.decode("utf-8", "replace").strip()
        return "failed", f"status {finished.status} {said[-150:]!r}"
    if re.search(r"\bFAIL", text):
        return "failed", "prints FAIL"
    return ("pass", "") if "PASS" in text else ("finished", "")


def why(item: Evidence) -> str:
    """Return the reason of the last verdict in a line."""
    match item.verdict:
        case Passed(guarantee=guarantee):
            return f"level {guarantee.level}"
        case Falsified(counterexample=example):
            return f"falsified by {example.check} at {example.where}: {example.expected} != {example.got}"
        case Rejected(stage=stage, diagnostics=found):
            return f"rejected at {stage}: " + "; ".join(f"{one.code} {one.message}" for one in found[:2])
        case Inconclusive(reason=reason, code=code):
            return f"inconclusive {code}: {reason}"


def total(outcomes: Sequence[Outcome]) -> None:
    """Print the totals."""
    kernels = [item for outcome in outcomes for item in outcome.evidence]
    kept = [item for item in kernels if item.kept(Level.TESTED)]
    reasons = Counter(re.sub(r"[0-9]+|'[^']*'", "…", why(item))[:90] for item in kernels if item not in kept)
    print(f"\nprograms {len(outcomes)}: {dict(Counter(outcome.status for outcome in outcomes))}")
    print(f"kernels {len(kernels)}, kept at tested {len(kept)}")
    for reason, count in reasons.most_common(25):
        print(f"{count:4} {reason}")


if __name__ == "__main__":
    main()
