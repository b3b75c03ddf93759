"""Contracts and trials in words, as the report of a port says them."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import (
    TRAITS,
    ArrayFact,
    BuildOutcome,
    ByModel,
    ByRules,
    Claim,
    Contract,
    Covers,
    Dialect,
    Guarantee,
    Invariant,
    Language,
    LaunchLaw,
    Origin,
    Port,
    Range,
    Rival,
    ScalarFact,
    ShapeDependent,
    Speedup,
    Step,
    Unbounded,
)

ORIGINS: Mapping[Origin, str] = {
    Origin.TRACE: "traced",
    Origin.BOUND: "traced: follows from data, no call went further",
    Origin.RECORDED: "recorded in a program run",
    Origin.SYNTAX: "the text",
    Origin.CALLERS: "the callers",
    Origin.USER: "you",
}
CLAIMS: Mapping[Claim, str] = {
    Claim.PARALLEL: "No two iterations of its parallel loops touch what one of them changes, at any size.",
    Claim.AGREES: "Every call within the contract leaves behind what the source does.",
    Claim.LEGAL: "Iterations keep the source's order wherever more than a sum depends on it.",
}
TITLES: Mapping[Claim, str] = {
    Claim.PARALLEL: "its loops are parallel",
    Claim.AGREES: "it agrees with its source",
    Claim.LEGAL: "the order of its iterations is legal",
}
_COMPILES = "; every file compiles and every program links"
_NEEDED = "; what translations need compiles"
_COMMANDS = 3
_LANGUAGES = {Language.C: "C", Language.CPP: "C++", Language.FORTRAN: "Fortran"}
CHECKS: Mapping[str, str] = {
    "exact": "other numbers than the source's, on a trial where the source does not round",
    "tolerance": "further from the source than rounding explains",
    "input": "an input was changed",
    "untouched": "something was written that the source leaves alone",
    "unwritten": "an output was not written",
    "bounds": "an access beyond an array",
    "crash": "it crashed",
    "timeout": "it did not end",
    "address": "a sanitizer objected",
    "leak": "memory was not given back",
    "race": "threads raced",
    "barrier": "threads of a block waited at different barriers",
    "offload": "other results on a device with memory of its own",
    "program": "the program's run differs",
}
"""Findings of a check that refuses, in words."""


def dialect(target: Dialect) -> str:
    """Return what a dialect is called among people."""
    if target.is_plain:
        return _LANGUAGES[target.language]
    return " and ".join(TRAITS[model].title for model in target.models)


def maker(origin: ByRules | ByModel | None) -> str:
    """Return who made an attempt."""
    match origin:
        case None:
            return "Rules, which refused"
        case ByRules(rules=rules):
            return f"Rules ({', '.join(rules)})" if rules else "Rules"
        case ByModel(model=model, round=told, sample=sample, transformation=name):
            asked = f", asked to optimise ({name})" if name else ""
            return f"The language model {model}{asked}, round {told}, answer {sample}"


def trials(shown: Guarantee) -> str:
    """Return how many trials agreed, and how many of them ran the parallel form where not all did."""
    partly = shown.parallel is not None and shown.parallel < shown.trials
    return f"{shown.trials} ({shown.parallel} parallel)" if partly else str(shown.trials)


def single(shown: Guarantee) -> str:
    """Return which kernels are no parallel work; empty where none is."""
    names = ", ".join(shown.single)
    return f"one thread alone runs {names}" if names else ""


def pace(speedup: Speedup) -> str:
    """Return what was measured of two translations."""
    sizes = f" with {'; '.join(speedup.inputs)}" if any(speedup.inputs) else ""
    times = f"{_time(speedup.after)} instead of {_time(speedup.before)}{sizes}"
    how = f"{speedup.blocks} blocks, threads: {speedup.threads}, load: {speedup.load:.1f}"
    return f"{speedup.ratio:.2f} times as fast ({speedup.low:.2f} … {speedup.high:.2f}): {times}; {how}"


def _time(seconds: float) -> str:
    """Return a time to three figures."""
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-4 else f"{1e6 * seconds:.3g} µs"


def step(tried: Step) -> str:
    """Return what became of a transformation."""
    what = pace(tried.speedup) if tried.speedup is not None else tried.reason
    return f"{tried.transformation}: {tried.outcome}{': ' if what else ''}{what}"


def rival(timed: Rival) -> str:
    """Return what became of a translation that passed as well."""
    what = pace(timed.speedup) if timed.speedup is not None else timed.reason
    return f"{', '.join(timed.rules)}: {timed.outcome}{': ' if what else ''}{what}"


def build_command(port: Port) -> str:
    """Return what builds a port, cut where it is a command for each of many folders."""
    first, *others = port.build_command.split(" && ")
    return f"{first} and {len(others)} more" if len(others) > _COMMANDS else port.build_command


def build(port: Port) -> str:
    """Return what is known of a port's build."""
    own, by = port.own_build, f"; {port.built_by}" if port.built_by else ""
    if not port.built:
        return "fails"
    if own.outcome is not BuildOutcome.BUILDS:
        why = f": {own.reason}" if own.reason else ""
        without = f" without `{'`, `'.join(port.lacking)}`" if port.lacking else ""
        return f"not shown{why}{_NEEDED + without if port.in_part else _COMPILES}{by}"
    held = len(own.parallel)
    regions = f"; parallel regions of {held} unit{'s' * (held != 1)} in what it makes" if held else ""
    return f"run here, builds{regions}{by}"


def law(rule: LaunchLaw | None) -> str:
    """Return which launches are right."""
    match rule:
        case None:
            return "Called, not launched."
        case Invariant():
            return "Any launch gives the result."
        case Covers(x=threads, joint=True):
            return f"Every launch of at least {threads} threads in all."
        case Covers(x=x, y=y, z=z):
            needed = [
                f"{size} threads along {axis}"
                for axis, size in zip("xyz", (x, y, z), strict=True)
                if size != "1"
            ]
            return f"Every launch of at least {' and '.join(needed) or 'one thread'}."
        case Unbounded():
            return "No guard: what is touched depends on the launch."
        case ShapeDependent(relations=relations):
            return (
                f"The launch is part of the meaning: {' and '.join(relations) or 'only the launches below'}."
            )


def interval(values: Range | None) -> str:
    """Return an interval as mathematicians write it; empty where there is none."""
    return f"{values.low} … {values.high}" if values else ""


def array(fact: ArrayFact) -> str:
    """Return what the elements of an array must respect."""
    said = [interval(fact.values)] if fact.values else []
    said += [word for word in ("distinct", "ascending") if getattr(fact, word)]
    said += [f"the last is {fact.last}"] if fact.last else []
    said += ["updated by atomics"] if fact.atomic else []
    return ", ".join(said)


def elements(fact: ArrayFact) -> str:
    """Return how long an array has to be."""
    return fact.extent if fact.before == "0" else f"{fact.before} below and {fact.extent} from the pointer on"


def scalar(fact: ScalarFact) -> str:
    """Return what a scalar must respect."""
    return interval(fact.values) + (f", a multiple of {fact.multiple_of}" if fact.multiple_of != "1" else "")


def types(contract: Contract) -> dict[str, str]:
    """Return the type of each parameter and global variable by name, and of each number inside one."""
    signature = contract.signature
    found = {item.name: item.spelling for item in signature.parameters}
    for variable in signature.globals:
        found[variable.name] = f"{variable.element.spelling if variable.element else '?'}[{variable.count}]"
    for item in signature.parameters:
        leaves = item.element.leaves if item.element else ()
        found |= {item.part(leaf): str(leaf.scalar) for leaf in leaves if leaf.name and not item.pointer}
    return found


def numbers(contract: Contract) -> str:
    """Return when two floating numbers are the same; empty where a call has none."""
    signature, rules = contract.signature, contract.numbers
    elements = [item.element for item in signature.parameters]
    elements += [*(item.element for item in signature.globals), signature.returns]
    if not any(leaf.scalar.floating for element in elements if element for leaf in element.leaves):
        return ""
    yours = rules.tolerance
    allowed = f"; your tolerance: relative {yours.relative:g}, absolute {yours.absolute:g}" if yours else ""
    return f"{rules}{allowed}"
