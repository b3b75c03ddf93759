"""Prompts are files: what they say is rendered here from a task."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template

from transpile.core import Contract, Dialect, Language, Source, Unit, UnitKind
from transpile.translators.llm.change import Change
from transpile.translators.llm.context import Context, context_of
from transpile.translators.llm.earlier import NOTHING, Earlier
from transpile.translators.llm.facts import Facts, facts_of
from transpile.translators.llm.features import features
from transpile.translators.llm.form import Form
from transpile.translators.llm.gaps import Gaps

_FOLDER = files("transpile.translators") / "prompts"
_KERNELS = ("grid", "swaps", "shuffles", "textures", "barriers", "atomics")
"""Features of kernels, the rarest first: of the first that there is an example for, it is shown."""
_REDUCES = re.compile(r"[+*|&^]=|\b(?:max|min|sum|total|count)\w*\b")


def system(source: Source, target: Dialect, change: Change | None = None) -> str:
    """Return who the model is and how it has to answer."""
    return _template("system.md").render(**_languages(source, target), optimizes=change is not None)


def task(
    source: Source,
    unit: Unit,
    contracts: Sequence[Contract],
    form: Form,
    target: Dialect,
    earlier: Earlier = NOTHING,
) -> str:
    """Return what is asked for, with all that a person would need to do it."""
    context = context_of(source, unit)
    known = _facts(unit, contracts, context)
    found = features(_whole(unit, context))
    return _template("translate.md").render(
        **_languages(source, target),
        text=unit.text.decode("utf-8", "replace"),
        name=unit.name,
        kernel=unit.kind is UnitKind.KERNEL,
        prototype=form.prototype,
        launch=form.launch,
        contract=known.certain,
        seen=known.seen,
        instantiations=[c.signature.template_arguments for c in contracts if c.signature.template_arguments],
        definitions=context.definitions,
        callees=context.callees,
        calls=context.calls,
        earlier=earlier,
        guide=_guide(f"{direction(source, target)}.md", found),
        example=_example(unit, f"{direction(source, target)}", found, shaped=bool(form.launch)),
    )


def _whole(unit: Unit, context: Context) -> str:
    """Return all that a unit says, itself or through what it names."""
    return "\n".join((*context.definitions, *context.callees, unit.text.decode("utf-8", "replace")))


def _facts(unit: Unit, contracts: Sequence[Contract], context: Context) -> Facts:
    return facts_of(contracts, "\n".join((_whole(unit, context), *context.calls)))


def optimize(source: Source, unit: Unit, contracts: Sequence[Contract], form: Form, change: Change) -> str:
    """Return what is asked for where a translation is right and could be faster."""
    context = context_of(source, unit)
    base = change.base
    return _template("optimize.md").render(
        **_languages(source, base.dialect),
        text=base.replacements[0].shown,
        name=form.name,
        prototype=form.prototype,
        contract=_facts(unit, contracts, context).certain,
        definitions=context.definitions,
        callees=[item.shown for item in base.replacements[1:]] or context.callees,
        transformation=change.transformation,
        facts=change.facts,
        variants=change.variants,
    )


def repair(what: str, lines: Sequence[str], name: str, prototype: str) -> str:
    """Return what is said of an attempt that fell."""
    return _template("repair.md").render(what=what, lines=lines, name=name, prototype=prototype)


def repeated() -> str:
    """Return what is said where all answers are ones that were given before."""
    return _text("repeated.md").rstrip("\n")


def tester(source: Source, unit: Unit, form: str, room: int) -> str:
    """Return who a model is that writes tests, and how it has to answer."""
    return _template("tester.md").render(
        from_language=_languages(source, source.dialect)["from_language"],
        form=form,
        elements=room,
        kernel=unit.kind is UnitKind.KERNEL,
    )


def tests(source: Source, unit: Unit, contracts: Sequence[Contract], gaps: Gaps, count: int) -> str:
    """Return what is asked for where tests are."""
    context = context_of(source, unit)
    return _template("tests.md").render(
        text=unit.text.decode("utf-8", "replace"),
        kernel=unit.kind is UnitKind.KERNEL,
        contract=_facts(unit, contracts, context).certain,
        definitions=context.definitions,
        callees=context.callees,
        branches=gaps.branches,
        faults=gaps.faults,
        standing=gaps.standing,
        declined=gaps.declined,
        count=count,
    )


def _guide(name: str, found: Mapping[str, bool]) -> str:
    """Return the rules of a direction, those of them that are about what the unit has."""
    return _environment().from_string(_text(name)).render(found).rstrip("\n")


def _example(unit: Unit, direction: str, found: Mapping[str, bool], *, shaped: bool) -> str:
    """Return a translated example that shows what the unit needs; empty where there is none."""
    if unit.kind is UnitKind.KERNEL:
        names = [name for name in _KERNELS if found[name]]
        names += ["shape"] if shaped else []
    else:
        names = ["reduction"] if _REDUCES.search(unit.text.decode("latin-1")) else []
    texts = (_text(f"{direction}.{name}.md") for name in (*names, "elementwise"))
    return next((text for text in texts if text), "")


def direction(source: Source, target: Dialect) -> str:
    """Return the beginning of the names of files for a direction, such as ``cuda-openmp``."""
    return f"{_short(source.dialect)}-{_short(target)}"


def _short(dialect: Dialect) -> str:
    return "cpp" if dialect.is_plain else str(dialect.model)


def _languages(source: Source, target: Dialect) -> dict[str, str]:
    plain = source.dialect.is_plain and source.dialect.language is Language.C
    return {
        "from_language": "C" if plain else source.dialect.traits.prompt,
        "to_language": target.traits.prompt,
    }


@cache
def _environment() -> Environment:
    # What is rendered is read by a model, not by a browser.
    return Environment(
        loader=FunctionLoader(_text), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _template(name: str) -> Template:
    return _environment().get_template(name)


def _text(name: str) -> str:
    file = _FOLDER / name
    return file.read_text(encoding="utf-8") if file.is_file() else ""
