"""Port compiler-made CUDA operators to the CPU, and run and time those that are kept.

    python benchmarks/operators.py ITEMS.jsonl [--to openmp|cpp] [--only TEXT] [--limit N] [--jobs N]
                                   [--cache DIR] [--show]

The product sees an operator's kernels, and in a ``transpile.toml`` how they are launched. Where all of them
are kept, they are put behind the operator's own signature. The item's seeds are used afterwards, to count
how many of the kept operators agree with the item's reference, and both are timed in turns.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import exp, log, prod
from pathlib import Path
from typing import Any

import numpy as np
from operator_binding import Binding, Buffer, Use, bind
from operator_reach import Kernel, kernels_of, least_grids

from transpile import config, pipeline
from transpile.cli.arguments import TARGETS
from transpile.contracts.launches.launch_ladder import quantities
from transpile.core import (
    Evidence,
    Falsified,
    Inconclusive,
    Launch,
    Level,
    Passed,
    Rejected,
    Role,
    TranslationUnit,
    Verdict,
)
from transpile.expressions import evaluate
from transpile.options import PortOptions, Silent
from transpile.stages import Work
from transpile.toolchains.build import Built, build_program
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.sandbox import execute
from transpile.toolchains.workshop import Workshop

SPELLINGS = {"int8_t": "signed char", "uint8_t": "unsigned char", "int32_t": "int", "int64_t": "long"}
"""Names of types in kernels, by those in harnesses."""
TURNS = 5
"""Runs of each side that are timed, by turns."""
_FLAGS = ("-O2", "-fopenmp")
_ENVIRONMENT = {"OMP_WAIT_POLICY": "passive"}
"""Threads that spin while others have the cores make times of milliseconds out of microseconds."""
_MEMORY = 8 << 30
_SECONDS = 120.0
_CALL = """
    auto seconds = [] {{ return std::chrono::duration<double>(
        std::chrono::steady_clock::now().time_since_epoch()).count(); }};
    {call}
    double best = 1e30;
    for (double end = seconds() + 0.1; best == 1e30 || seconds() < end;) {{
        double begin = seconds();
        {call}
        best = std::min(best, seconds() - begin);
    }}
    printf("%.9g\\n", best); return 0;
"""
"""Takes the place of a harness's call where the operator is timed: the least of all calls in 0.1 s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ported:
    """What became of one item."""

    item: str
    outcome: str
    """kept, or what kept it from being so."""
    detail: str = ""
    operator: str = ""
    """The text of one that is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How one item that is kept fares beside its reference."""

    outcome: str
    agreeing: int = 0
    seeds: int = 0
    speedup: float = 0.0


def main() -> None:
    """Print a line an item, then the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("items", type=Path)
    parser.add_argument("--to", choices=("openmp", "cpp"), default="openmp")
    parser.add_argument("--only", default="", help="a part of the items' names")
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--show", action="store_true", help="print the operators that are kept")
    arguments = parser.parse_args()
    items = [json.loads(line) for line in arguments.items.read_text().splitlines()][: arguments.limit]
    options = PortOptions(cache=arguments.cache.resolve(), target=TARGETS[arguments.to])
    chosen = [item for item in items if arguments.only in item["id"]]
    with ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        ported = list(pool.map(lambda item: announced(port(item, options)), chosen))
    # References keep whole tensors in local variables; the sanitizers that judge bear no such stack.
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (most, most))
    workshop = pipeline.make_workshop(options)
    report(
        [scored(workshop, item, one, show=arguments.show) for item, one in zip(chosen, ported, strict=True)]
    )


def announced(one: Ported) -> Ported:
    """Print what is not kept as soon as that is known."""
    if one.outcome != "kept":
        print(f"{one.item}: {one.outcome}: {one.detail}", flush=True)
    return one


def port(item: dict[str, Any], options: PortOptions) -> Ported:
    """Translate and judge an item's kernels, and put those that are kept together."""
    name = item["id"].split("-", 1)[1]
    if not item["params"]:
        return Ported(item=name, outcome="no harness")
    kernels = kernels_of(item["source"])
    if any(set(kernel.blocks) - {"x"} for kernel in kernels):
        return Ported(item=name, outcome="no launch", detail="the grid has several axes")
    launches = grids(item, kernels)
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        evidence = judged(Path(scratch), item["source"], launches, options)
    spent = f"judged in {time.monotonic() - begun:.0f} s"
    for kernel in kernels:
        refused = why(evidence[kernel.name].verdict)
        if refused:
            return Ported(item=name, outcome=refused.split(":")[0], detail=f"{kernel.name}: {refused}")
    binding = bound(item, kernels, evidence)
    if binding is None:
        return Ported(item=name, outcome="no binding", detail="which buffers the kernels share is not known")
    operator = composed(item, kernels, evidence, launches, binding)
    return Ported(item=name, outcome="kept", detail=spent, operator=operator)


def scored(workshop: Workshop, item: dict[str, Any], one: Ported, *, show: bool) -> Score:
    """Run and time an operator that is kept, and print a line on it."""
    if one.outcome != "kept":
        return Score(outcome=one.outcome)
    if show:
        print(one.operator)
    seeds = [test["args"] for test in item["tests"]]
    wrong = [detail for seed in seeds if (detail := difference(workshop, item, one.operator, seed))]
    if not seeds:
        print(f"{one.item}: kept, no seed, {one.detail}", flush=True)
        return Score(outcome="kept")
    speedup = faster(workshop, item, one.operator, seeds[0])
    agreeing = len(seeds) - len(wrong)
    told = "; ".join([one.detail, *wrong[:1]])
    print(f"{one.item}: kept, {agreeing}/{len(seeds)} seeds, {speedup:.2f}x, {told}", flush=True)
    return Score(outcome="kept", agreeing=agreeing, seeds=len(seeds), speedup=speedup)


def grids(item: dict[str, Any], kernels: Sequence[Kernel]) -> dict[str, Launch]:
    """Return how the kernels are launched: bounds of their blocks are sizes, grids follow from lengths."""
    lengths = {parameter["name"]: prod(parameter["shape"]) for parameter in item["params"]}
    blocks = least_grids(list(kernels), lengths)
    return {
        kernel.name: Launch(grid=(blocks[kernel.name], 1, 1), block=(kernel.threads, 1, 1))
        for kernel in kernels
    }


def judged(
    root: Path, source: str, launches: Mapping[str, Launch], options: PortOptions
) -> dict[str, Evidence]:
    """Return the evidence of all kernels by name, with their launches stated as a user would."""
    (root / "operator.cu").write_text(source)
    lines = [
        f'[units."{name}"]\nlaw = {{ kind = "shape-dependent", launches = '
        f"[{[str(number) for number in (*launch.grid, *launch.block, launch.shared)]}] }}\n"
        for name, launch in launches.items()
    ]
    (root / config.FILE).write_text("\n".join(lines))
    stated = config.load(root / config.FILE)
    own = PortOptions(cache=options.cache, target=options.target, units=stated.units)
    read = pipeline.read(root, own)
    work = Work(workshop=pipeline.make_workshop(own), source=read, options=own)
    return {
        item.unit.name: item for item in pipeline.judged_units(work, pipeline.chosen(read, own), Silent())
    }


def why(verdict: Verdict) -> str:
    """Return why a kernel is not kept; nothing where it is."""
    match verdict:
        case Passed(level=level):
            return "" if level is not Level.BUILT else "built alone"
        case Falsified(counterexample=example):
            return f"falsified: by {example.check} at {example.where}: {example.got}, not {example.expected}"
        case Rejected(stage=stage, diagnostics=found):
            return f"rejected at {stage}: {'; '.join(f'{one.code} {one.message}' for one in found)}"
        case Inconclusive(reason=reason, code=code):
            return f"inconclusive {code}: {reason}"


def bound(
    item: dict[str, Any], kernels: Sequence[Kernel], evidence: Mapping[str, Evidence]
) -> Binding | None:
    """Return which buffers the kernels work on."""
    buffers = [
        Buffer(
            parameter["name"],
            prod(parameter["shape"]),
            SPELLINGS.get(ctype := parameter["ctype"].rstrip("* "), ctype),
            output=parameter["io"] == "out",
        )
        for parameter in item["params"]
    ]
    uses: list[list[Use]] = []
    for kernel in kernels:
        [contract] = evidence[kernel.name].contracts
        types = {p.name: p.element.spelling for p in contract.signature.parameters if p.element}
        facts = {fact.name: fact for fact in contract.arrays}
        uses.append(
            [
                Use(name, facts[name].role, int(facts[name].extent), types[name], kernel.threads - 1)
                for name in kernel.parameters
                if facts[name].role is not Role.UNUSED
            ]
        )
    return bind(uses, buffers)


def composed(
    item: dict[str, Any],
    kernels: Sequence[Kernel],
    evidence: Mapping[str, Evidence],
    launches: Mapping[str, Launch],
    binding: Binding,
) -> str:
    """Return a function with the operator's signature that calls its translated kernels in their order."""
    headers: dict[str, None] = {"<memory>": None}
    texts: list[str] = []
    lines, after, arrays = storage(binding)
    for kernel, names in zip(kernels, binding.kernels, strict=True):
        candidate = evidence[kernel.name].candidate
        assert candidate is not None
        headers.update(dict.fromkeys(candidate.headers))
        texts += [replacement.shown for replacement in reversed(candidate.replacements)]
        passed = [arrays[name] for name in names]
        known = quantities(launches[kernel.name])
        extra = candidate.binding.arguments[len(kernel.parameters) :]
        arguments = [*passed, *(str(evaluate(text, known)) for text in extra)]
        lines.append(f"kernels::{candidate.binding.name}({', '.join(arguments)});")
    parameters = ", ".join(f"{parameter['ctype']} {parameter['name']}" for parameter in item["params"])
    included = "".join(f"#include {header}\n" for header in headers)
    body = "".join(f"  {line}\n" for line in (*lines, *after))
    inner = "\n\n".join(texts)
    signature = f"void {item['entry_point']}({parameters})"
    return f"{included}namespace kernels {{\n{inner}\n}}\n\n{signature} {{\n{body}}}\n"


def storage(binding: Binding) -> tuple[list[str], list[str], dict[str, str]]:
    """Return what is to be done for the buffers before and after the kernels, and what these are passed.

    A device allocates more than it is asked for: kernels whose last block has too many threads live on that.
    """
    before: list[str] = []
    after: list[str] = []
    passed: dict[str, str] = {}
    for buffer in binding.buffers:
        name, length = buffer.name, max(buffer.length, buffer.reached)
        passed[name] = name
        if buffer.own:
            before.append(f"std::unique_ptr<{buffer.ctype}[]> {name}(new {buffer.ctype}[{length}]);")
            passed[name] = f"{name}.get()"
        elif length > buffer.length:
            passed[name] = f"wide_{name}.get()"
            before.append(f"std::unique_ptr<{buffer.ctype}[]> wide_{name}(new {buffer.ctype}[{length}]());")
            before.append(f"std::copy_n({name}, {buffer.length}, {passed[name]});")
            after += [f"std::copy_n({passed[name]}, {buffer.length}, {name});"] if buffer.written else []
    return before, after, passed


def difference(workshop: Workshop, item: dict[str, Any], operator: str, seed: Sequence[str]) -> str:
    """Return how the operator's printout differs from the reference's; nothing where it does not."""
    expected = numbers(run(workshop, program(item, item["reference"]), seed))
    got = numbers(run(workshop, program(item, operator), seed))
    if isinstance(expected, str):
        return f"the reference: {expected}"
    if isinstance(got, str):
        return got
    if len(expected) != len(got):
        return f"{len(got)} numbers, not {len(expected)}"
    close = np.isclose(got, expected, rtol=1e-5, atol=1e-6, equal_nan=True)
    if close.all():
        return ""
    at = int(np.argmin(close))
    return f"number {at} is {got[at]}, not {expected[at]}; {int((~close).sum())} differ"


def faster(workshop: Workshop, item: dict[str, Any], operator: str, seed: Sequence[str]) -> float:
    """Return how many times faster than the reference the operator is; 0 where that cannot be told."""
    programs = [program(item, text, timed=True) for text in (item["reference"], operator)]
    best = [float("inf")] * 2
    for _ in range(TURNS):
        for side, text in enumerate(programs):
            found = numbers(run(workshop, text, seed))
            if isinstance(found, str):
                return 0.0
            best[side] = min(best[side], float(found[0]))
    return best[0] / best[1]


def program(item: dict[str, Any], text: str, *, timed: bool = False) -> str:
    """Return the whole program around an operator; one that prints its time where that is asked for."""
    harness = item["harness_main"]
    if timed:
        call = re.search(rf"\b{item['entry_point']}\(.*?\);", harness)
        assert call is not None
        harness = harness.replace(call[0], _CALL.format(call=call[0]))
    return f"#include <chrono>\n{item['harness_prefix']}\n{text}\n{harness}\n"


def run(workshop: Workshop, text: str, arguments: Sequence[str]) -> str | bytes:
    """Return what a program prints, or in words why it does not."""
    unit = TranslationUnit(path="program.cpp", flags=_FLAGS)
    built = build_program(workshop, {"program.cpp": text.encode()}, [unit], emulated=False)
    if not isinstance(built, Built):
        return "does not build: " + built.output[:300]
    with tempfile.TemporaryDirectory() as scratch:
        finished = execute(
            [str(built.path), *arguments],
            profile=Profile.RUN,
            mounts=Mounts(cwd=Path(scratch), readable=[built.path.parent]),
            quota=Quota(timeout=_SECONDS, memory=_MEMORY),
            environment=_ENVIRONMENT,
        )
    return finished.stdout if finished.status == 0 else f"ends with status {finished.status}"


def numbers(printed: str | bytes) -> np.ndarray[Any, np.dtype[np.float64]] | str:
    """Return the numbers of a printout, or why there is none."""
    return printed if isinstance(printed, str) else np.array(printed.split(), dtype=np.float64)


def report(scores: Sequence[Score]) -> None:
    """Print the totals."""
    kept = [one for one in scores if one.outcome == "kept"]
    usable = [one for one in kept if one.seeds]
    agreeing = [one for one in usable if one.agreeing == one.seeds]
    timed = [one.speedup for one in kept if one.speedup]
    print(f"\n{len(scores)} items: {dict(Counter(one.outcome for one in scores))}")
    print(f"kept {len(kept)} ({len(kept) / max(len(scores), 1):.1%}), no seed {len(kept) - len(usable)}")
    print(f"{len(agreeing)} of {len(usable)} kept with seeds pass them all")
    if timed:
        mean = exp(sum(log(one) for one in timed) / len(timed))
        print(f"speedup over the references: geometric mean {mean:.2f} over {len(timed)}")


if __name__ == "__main__":
    main()
