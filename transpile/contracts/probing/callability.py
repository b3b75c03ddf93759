"""Refuse units that cannot be called at all, by their signatures and texts."""

from __future__ import annotations

import re

from transpile.code.syntax import function_of
from transpile.code.variables import resolve
from transpile.contracts.probing.probe import unknown
from transpile.core import Elsewhere, Inconclusive, Signature, Source, Unit, UnitKind
from transpile.parsers.files.includes import closure as included
from transpile.parsers.lowering.excerpts import is_left_out
from transpile.parsers.text.effects import effect_of
from transpile.toolchains.beside import include_directories


def refusal(source: Source, unit: Unit) -> Inconclusive | None:
    """Return why calls of a unit can be neither made nor compared, or None."""
    if any(is_left_out(source, part) for part in (unit, *source.closure(unit)) if _may_run(unit, part)):
        headers = "`, `".join(source.absent.get(unit.translation_unit, ()))
        lacking = f"needs `{headers}`, which is not found" if headers else "needs names that nothing declares"
        return Inconclusive(reason=f"the source {lacking}", code="TP403")
    if unit.kind is not UnitKind.FUNCTION:
        return None
    effect = _effect(source, unit)
    if effect is not None:
        return effect
    elsewhere = _elsewhere(source, unit)
    if elsewhere is not None:
        return elsewhere
    signatures = source.signatures.get(unit.id, ())
    if not signatures:
        return unknown(_why_unknown(source, unit))
    found = (out_of_reach(source, unit, item) or _nowhere(source, unit, item) for item in signatures)
    return next((why for why in found if why is not None), None)


def _may_run(unit: Unit, part: Unit) -> bool:
    """Tell whether a unit may call another one that goes by a name in its text: kernels call no host code."""
    return unit.kind is not UnitKind.KERNEL or part.kind not in (UnitKind.GLUE, UnitKind.PROGRAM)


def out_of_reach(source: Source, unit: Unit, signature: Signature) -> Inconclusive | None:
    """Return what of a signature no trial can provide or compare, or None."""
    for parameter in signature.parameters:
        if parameter.element is None or not parameter.element.size:
            what = f"`{parameter.name}` (`{parameter.spelling}`)"
            return unknown(f"the layout of parameter {what} is unknown")
    returned = signature.returns
    if returned is not None and not returned.leaves:
        return unknown(f"the return type `{returned.spelling}` is neither a number nor a struct of numbers")
    if unit.kind is UnitKind.FUNCTION and signature.static_shared:
        reason = f"the source keeps state between calls, in a static variable{_static_variable(source, unit)}"
        return Inconclusive(reason=reason, code="TP423")
    for item in signature.globals:
        if item.element is None:
            return unknown(f"the layout of the global variable `{item.name}` is unknown")
    return None


def _static_variable(source: Source, unit: Unit) -> str:
    """Return which static variable a function, or one that it calls, has; empty where no text shows it."""
    for part in (unit, *source.closure(unit)):
        function = function_of(part.text.decode("latin-1"))
        for item in resolve(function).all if function is not None else ():
            if item.static and not re.search(r"\bconst\b", item.type):
                line = part.line + item.declaration.start_point[0]
                return f": `{item.name}` in `{part.name}` (line {line} of {part.path})"
    return ""


def _effect(source: Source, unit: Unit) -> Inconclusive | None:
    """Return what a function or one that it calls does besides computing, as the text tells."""
    own = {item.name.rpartition("::")[2].encode("utf-8", "surrogateescape") for item in source.units}
    for part in (unit, *source.closure(unit)):
        effect = effect_of(part.text, own)
        if effect is not None:
            line = part.line + part.text.count(b"\n", 0, effect.start)
            place = f"line {line}" if part is unit else f"in `{part.name}`, line {line} of {part.path}"
            reason = f"the source {effect.what}: `{effect.word}` ({place})"
            return Inconclusive(reason=reason, code=effect.code)
    return None


def _elsewhere(source: Source, unit: Unit) -> Inconclusive | None:
    """Return that a function calls one whose text its translation unit does not see."""
    home = next((item for item in source.translation_units if item.path == unit.translation_unit), None)
    if home is None:
        return None
    seen = included(source.files, home.path, include_directories(home.flags))
    linked = {name for item in source.companions(home.path) for name in item.units}
    for part in source.closure(unit):
        if part.path not in seen and part.id not in linked:
            return unknown(
                f"it calls `{part.name}` of {part.path}, which is not linked: it needs one definition, in a"
                " translation unit that keeps no state between calls"
            )
    return None


def _nowhere(source: Source, unit: Unit, signature: Signature) -> Inconclusive | None:
    """Return that a function names a variable that nothing in its program defines."""
    known = source.elsewhere.get(unit.translation_unit, Elsewhere())
    named = {item.name for item in (*signature.globals, *signature.constants)}
    named |= {item.name for item in signature.parameters if item.outside}
    found = {name for item in known.companions for name in item.symbols}
    lacking = sorted(named.intersection(known.variables) - found)
    return unknown(f"it uses `{lacking[0]}`, which no file of its program defines") if lacking else None


def _why_unknown(source: Source, unit: Unit) -> str:
    """Return what the parsers say of a function that has no signature."""
    said = next(
        (item.message for item in source.diagnostics if (item.path, item.line) == (unit.path, unit.line)), ""
    )
    return said or "no call in the source shows the types of its arguments"
