"""From what a model said to a candidate, or why there is none in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import parse
from transpile.code.syntax import source as text_of
from transpile.core import (
    Binding,
    ByModel,
    Candidate,
    Dialect,
    Rejected,
    Replacement,
    Source,
    Unit,
    UnitKind,
)
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.openmp import device_closure, translate_device
from transpile.translators.kernels.surroundings import surroundings
from transpile.translators.llm.blocks import MOST, Written, defined, written
from transpile.translators.llm.form import Form
from transpile.translators.llm.prototypes import aligned, head_of
from transpile.translators.refusal import Refused

_PARALLEL = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b|\bexecution::(?:par|unseq)", re.MULTILINE)
_KERNEL = re.compile(r"\b__global__\b")
_LINKAGE = re.compile(r"(?:(?:static|inline)\s+)*")
_SYSTEM = re.compile(
    r"<(?:[a-z_]+(?:\.h)?|cuda_runtime(?:_api)?\.h|hip/hip_runtime\.h|hip/hip_cooperative_groups\.h|cub/[\w/]+\.cuh|cooperative_groups\.h)>"
)


def candidates_of(
    source: Source,
    unit: Unit,
    form: Form,
    target: Dialect,
    answer: str,
    origin: ByModel,
    base: Candidate | None = None,
) -> tuple[Candidate | Rejected, ...]:
    """Return the candidate that an answer means, or what is wrong with it; then its usable drafts.

    Args:
        source: What the unit is of.
        unit: What is translated.
        form: How the translation is called.
        target: What it is written in.
        answer: What the model said.
        origin: Which model, and when.
        base: A translation that the answer is to change: what the answer leaves out stays as it is there.
    """
    name = form.name.rpartition("::")[2]
    found = written(_bytes(answer), name, device=target.traits.emulated)
    if isinstance(found, str):
        return (_unusable(unit, found),)
    codes = {code: _mistake(code, form, target) for code in found}
    usable = [code for code, wrong in codes.items() if not wrong]
    if not usable:
        return (_unusable(unit, codes[found[0]]),)
    return tuple(
        _candidate(source, unit, form, target, code, replace(origin, draft=number), base)
        for number, code in enumerate(usable)
    )


def _unusable(unit: Unit, wrong: str) -> Rejected:
    return refused(unit, "answer", "TP520", f"the model's answer cannot be used: {wrong}")


def _candidate(
    source: Source,
    unit: Unit,
    form: Form,
    target: Dialect,
    code: Written,
    origin: ByModel,
    base: Candidate | None,
) -> Candidate:
    own, given = _shared_out(_as_asked(code.text, form), source, unit)
    text = own.encode("latin-1")
    parallel = target.traits.emulated or bool(_PARALLEL.search(code.text))
    if base is not None:
        return replace(
            base,
            replacements=(replace(base.replacements[0], text=text), *_kept_callees(base, given)),
            headers=tuple(dict.fromkeys((*base.headers, *code.headers))),
            origin=origin,
            parallel=parallel,
        )
    return Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=text), *_callees(source, unit, target, given)),
        binding=Binding(name=form.name, arguments=form.arguments),
        headers=tuple(dict.fromkeys((*filter(None, [target.traits.header]), *code.headers))),
        dialect=target,
        origin=origin,
        parallel=parallel,
    )


def fingerprint(candidate: Candidate) -> tuple[str, ...]:
    """Return what two candidates share that differ in layout and comments alone."""
    return tuple(
        text_of(leaf)
        for item in candidate.replacements
        for leaf in _leaves(parse(item.text.decode("latin-1")))
        if leaf.type != "comment"
    )


def _leaves(node: Node) -> Iterator[Node]:
    if node.type == "comment" or not node.children:
        yield node
        return
    for child in node.children:
        yield from _leaves(child)


def _bytes(text: str) -> str:
    """Return the text as the syntax trees hold it: a character a byte; half a surrogate pair is a ``?``."""
    return text.encode("utf-8", "replace").decode("latin-1")


def _mistake(code: Written, form: Form, target: Dialect) -> str:
    """Return what keeps the code from being judged at all; empty where nothing does."""
    if len(code.text) > MOST:
        return f"it holds {len(code.text)} characters of code"
    strange = [header for header in code.headers if not _SYSTEM.fullmatch(header)]
    if strange:
        return f"it includes {', '.join(strange)}: only headers of the language are there"
    base = form.name.rpartition("::")[2]
    node = defined(code.text)[base]
    wanted, got = head_of(form.prototype), head_of(code.text[node.start_byte : _body(node)])
    if not got.fits(wanted):
        return f"its function is declared `{got}`, and not `{wanted}`"
    if target.is_plain and _PARALLEL.search(code.text):
        return "it uses OpenMP, and plain sequential C++ was asked for"
    if not target.traits.emulated and _KERNEL.search(code.text):
        return "it still has a __global__ function"
    return ""


def _as_asked(text: str, form: Form) -> str:
    """Return the text with its function declared as it was asked for."""
    text = _linked_alike(text, form)
    node = defined(text)[form.name.rpartition("::")[2]]
    return text[: node.start_byte] + aligned(text_of(node), form.prototype) + text[node.end_byte :]


def _linked_alike(text: str, form: Form) -> str:
    """Return the text with the function's ``static`` and ``inline`` as the source has them."""
    wanted = _LINKAGE.match(form.prototype)
    node = defined(text)[form.name.rpartition("::")[2]]
    got = _LINKAGE.match(text, node.start_byte)
    assert wanted is not None and got is not None
    return text[: got.start()] + wanted[0] + text[got.end() :]


def _body(node: Node) -> int:
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.end_byte


def _shared_out(text: str, source: Source, unit: Unit) -> tuple[str, dict[str, str]]:
    """Return the unit's own text, and what was written for functions that the source has as well."""
    callees = {
        item.name.rpartition("::")[2]: item.id
        for item in source.closure(unit)
        if item.kind is UnitKind.DEVICE and not item.member
    }
    given: dict[str, str] = {}
    edits = []
    for name, node in defined(text).items():
        outer = node.parent
        whole = outer if outer is not None and outer.type == "template_declaration" else node
        if name in callees:
            given[callees[name]] = text_of(whole)
            edits.append(Edit(whole.start_byte, whole.end_byte, ""))
    return re.sub(r"\n{3,}", "\n\n", apply_outermost(text, edits)).strip(), given


def _callees(source: Source, unit: Unit, target: Dialect, given: dict[str, str]) -> Iterator[Replacement]:
    """Yield the device functions that the translation calls: as the model wrote them, else by rules."""
    if target.traits.emulated or unit.kind is not UnitKind.KERNEL:
        return
    around: Surroundings | None = None
    for callee in device_closure(source, unit):
        if callee.id in given:
            yield Replacement(unit=callee.id, text=given[callee.id].encode("latin-1"))
            continue
        around = around or surroundings(source, unit)
        try:
            draft = translate_device(callee.text, around)
        except Refused:
            continue
        yield Replacement(unit=callee.id, text=draft.text.encode("latin-1"), same_signature=not draft.extra)


def _kept_callees(base: Candidate, given: Mapping[str, str]) -> Iterator[Replacement]:
    """Yield the functions that a translation calls: as an answer has them, else as they were."""
    known = {item.unit: item for item in base.replacements[1:]}
    yield from (item for name, item in known.items() if name not in given)
    yield from (Replacement(unit=name, text=text.encode("latin-1")) for name, text in given.items())


def refused(unit: Unit, stage: str, code: str, message: str) -> Rejected:
    """Return a refusal with one diagnostic."""
    return Rejected(stage=stage, diagnostics=(unit.diagnostic(code, message),))
