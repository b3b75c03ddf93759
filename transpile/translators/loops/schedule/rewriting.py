"""Nests of loops that are written anew in a better order, with what runs in parallel marked."""

from __future__ import annotations

from dataclasses import dataclass, replace

from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.syntax import INDENT, Function, indentation, reindent, source
from transpile.code.variables import resolve
from transpile.translators.loops.analysis.analysis import Nest, nests
from transpile.translators.loops.analysis.plan import Band, SequentialNest, does_enough, planned
from transpile.translators.loops.analysis.setting import Setting
from transpile.translators.loops.planning.fallback import beside
from transpile.translators.loops.planning.overlaps import apart
from transpile.translators.loops.schedule.model import Unmodelled, model
from transpile.translators.loops.schedule.order import Reordered, reordered
from transpile.translators.loops.schedule.stores import stored
from transpile.translators.loops.schedule.sums import loops_of_sums, touched, unwrapped
from transpile.translators.loops.schedule.text import Printer
from transpile.translators.loops.schedule.tree import marked, readable
from transpile.translators.refusal import Refused


def rewritten(setting: Setting, nest: Nest, flag: str) -> Edit[str] | None:
    """Return the edit that puts a nest into another order; None where that is not known to help.

    It helps where loops go on in rows that have jumped between them, where something is parallel that could
    not, and where sums are gathered that compilers would make in their order. Arrays that overlap go through
    the loops as they were.

    Args:
        setting: What the nest is in.
        nest: The loops.
        flag: What to call the flag that chooses, if there has to be one.
    """
    if nest.node.parent is None or nest.node.parent.type != "compound_statement":
        return None
    written = _Form(setting, nest)
    text = _text(written, source(nest.node), flag)
    held = _with_sums_held(written) if text is None else None
    if held is not None:
        text = _text(held, source(nest.node), flag)
    return Edit(nest.node.start_byte, nest.node.end_byte, text) if text is not None else None


@dataclass(frozen=True, slots=True)
class _Form:
    """A nest in its function."""

    setting: Setting
    nest: Nest
    held: bool = False
    """Elements hold from the beginning what a variable would hold until it is stored."""


def _with_sums_held(form: _Form) -> _Form | None:
    """Return the nest where its elements hold its sums; None where there is no such sum."""
    setting = form.setting
    text = stored(setting.function, setting.variables, form.nest.node)
    if text is None:
        return None
    function = Function(text)
    variables, start = resolve(function, setting.around.refers), form.nest.node.start_byte
    found = nests(function, variables, (), setting.around)
    [nest] = [item for item in found if item.node.start_byte == start]
    return _Form(replace(setting, function=function, variables=variables), nest, held=True)


def _text(form: _Form, before: str, flag: str) -> str | None:
    """Return what stands in the place of a nest, with what stood there before for arrays that overlap."""
    setting, nest = form.setting, form.nest
    function, variables = setting.function, setting.variables
    try:
        known = model(nest, variables)
        found, types = reordered(known), _types(setting)
        loops = list(loops_of_sums(found.tree, known, types))
        if not _is_worth(form, found, in_vectors=bool(loops)):
            return None
        printer = Printer(known, known.parameters, function.identifiers, types)
        begun = [printer.condition(item) for item in (*unwrapped(known), *touched(loops, known))]
        conditions = list(
            dict.fromkeys((*apart(SequentialNest(nest, ""), setting.contract, variables), *begun))
        )
        indent = indentation(function.text, nest.node.start_byte)
        inner = indent + INDENT if conditions else indent
        text = "\n".join(printer.lines(found.tree, inner))
    except (Unmodelled, Refused):
        return None
    if conditions:
        flag = free_name(function.identifiers, flag)
        text = beside(text, conditions, flag, reindent(before, indent, inner), indent)
    return text.lstrip()


def _is_worth(form: _Form, found: Reordered, *, in_vectors: bool) -> bool:
    """Tell whether an order helps, takes nothing away, and is what a person would have written."""
    parts = planned(form.nest)
    helps = in_vectors or not all(map(does_enough, parts))
    keeps = marked(found.tree) or (in_vectors and not any(map(_runs_at_once, parts)))
    return (found.better or (helps and not form.held)) and keeps and readable(found.tree)


def _types(setting: Setting) -> dict[str, str]:
    """Return what scalars are that hold fractions, and the elements of arrays that callers hand over."""
    scalars = (item for item in setting.variables.all if not (item.pointer or item.array))
    fractions = {item.name: item.bare for item in scalars if setting.around.holds_fractions(item.bare)}
    if setting.contract is None:
        return fractions
    signature = setting.contract.signature
    found = {item.name: item.element for item in signature.globals}
    found |= {item.name: item.element for item in signature.parameters if item.pointer}
    return fractions | {name: element.spelling for name, element in found.items() if element is not None}


def _runs_at_once(part: Band | SequentialNest) -> bool:
    """Tell whether iterations of a part run in parallel without waiting for each other."""
    return isinstance(part, Band) and not part.loops[0].updated
