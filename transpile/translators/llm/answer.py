"""From what a model said to a candidate, or why there is none in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import declared_name, find, parse
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
from transpile.translators.llm.form import Form
from transpile.translators.refusal import Refused

MOST = 100_000
"""Bytes of code; whoever writes more has not understood the question."""
_FENCE = re.compile(r"^[ \t]*(```+|~~~+)[^\n`]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"\n]*[>\"])[^\n]*\n?", re.MULTILINE)
_ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[^\n]*\n?", re.MULTILINE)
_PARALLEL = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b", re.MULTILINE)
_KERNEL = re.compile(r"\b__global__\b")
_LINKAGE = re.compile(r"(?:(?:static|inline)\s+)*")
_SYSTEM = re.compile(r"<(?:[a-z_]+(?:\.h)?|cuda_runtime(?:_api)?\.h|cub/[\w/]+\.cuh|cooperative_groups\.h)>")
_TYPES = re.compile(r"\s*([*&])\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    """The code of an answer, taken apart."""

    headers: tuple[str, ...]
    text: str


def candidate_of(
    source: Source,
    unit: Unit,
    form: Form,
    target: Dialect,
    answer: str,
    origin: ByModel,
    base: Candidate | None = None,
) -> Candidate | Rejected:
    """Return the candidate in an answer, or what is wrong with the answer in words its author understands.

    Args:
        source: What the unit is of.
        unit: What is translated.
        form: How the translation is called.
        target: What it is written in.
        answer: What the model said.
        origin: Which model, and when.
        base: A translation that the answer is to change: what the answer leaves out stays as it is there.
    """
    code = _code(_bytes(answer), form)
    wrong = code if isinstance(code, str) else _mistake(code, form, target)
    if isinstance(code, str) or wrong:
        return refused(unit, "answer", "TP520", f"the model's answer cannot be used: {wrong}")
    own, given = _shared_out(_linked_alike(code.text, form), source, unit)
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
        headers=code.headers,
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


def _code(answer: str, form: Form) -> _Written | str:
    """Return the block of an answer that defines what was asked for; else what was found instead."""
    blocks = [match[2] for match in _FENCE.finditer(answer)] or [answer]
    base = form.name.rpartition("::")[2]
    written = [block for block in blocks if base in _defined(block)]
    if not written:
        others = sorted({name for block in blocks for name in _defined(block) if name})
        if others:
            return f"it defines {', '.join(others[:5])}, and not `{base}`"
        return "it holds no code in a fenced block"
    block = max(written, key=len)
    if len(block) > MOST:
        return f"it holds {len(block)} characters of code"
    headers = tuple(dict.fromkeys(match[1] for match in _INCLUDE.finditer(block)))
    return _Written(headers=headers, text=_trimmed(_ONCE.sub("", _INCLUDE.sub("", block))))


def _defined(text: str) -> dict[str, Node]:
    """Return the functions that a text defines, by name."""
    return {
        declared_name(declarator): node
        for node in find(parse(text), "function_definition")
        if (declarator := next(find(node, "function_declarator"), None)) is not None
    }


def _bytes(text: str) -> str:
    """Return the text as the syntax trees hold it: a character a byte; half a surrogate pair is a ``?``."""
    return text.encode("utf-8", "replace").decode("latin-1")


def _trimmed(text: str) -> str:
    """Drop what a translation unit has already or must not have twice: ``main``, ``extern "C"``."""
    edits = []
    for node in find(parse(text), "function_definition"):
        declarator = next(find(node, "function_declarator"), None)
        if declarator is not None and declared_name(declarator) == "main":
            edits.append(Edit(node.start_byte, node.end_byte, ""))
    for node in find(parse(text), "linkage_specification"):
        body = node.child_by_field_name("body")
        if body is not None and body.type == "declaration_list":
            edits += [
                Edit(node.start_byte, body.start_byte + 1, ""),
                Edit(body.end_byte - 1, body.end_byte, ""),
            ]
        elif body is not None:
            edits.append(Edit(node.start_byte, body.start_byte, ""))
    return apply_outermost(text, edits).strip() + "\n"


def _mistake(code: _Written, form: Form, target: Dialect) -> str:
    """Return what keeps the code from being judged at all; empty where nothing does."""
    strange = [header for header in code.headers if not _SYSTEM.fullmatch(header)]
    if strange:
        return f"it includes {', '.join(strange)}: only headers of the language are there"
    base = form.name.rpartition("::")[2]
    node = _defined(code.text)[base]
    wanted, got = _head(form.prototype), _head(code.text[node.start_byte : _body(node)])
    if wanted != got:
        return f"its function is declared `{got}`, and not `{wanted}`"
    if target.is_plain and _PARALLEL.search(code.text):
        return "it uses OpenMP, and plain sequential C++ was asked for"
    if not target.traits.emulated and _KERNEL.search(code.text):
        return "it still has a __global__ function"
    return ""


def _linked_alike(text: str, form: Form) -> str:
    """Return the text with the function's ``static`` and ``inline`` as the source has them."""
    wanted = _LINKAGE.match(form.prototype)
    node = _defined(text)[form.name.rpartition("::")[2]]
    got = _LINKAGE.match(text, node.start_byte)
    assert wanted is not None and got is not None
    return text[: got.start()] + wanted[0] + text[got.end() :]


def _body(node: Node) -> int:
    body = node.child_by_field_name("body")
    return body.start_byte if body is not None else node.end_byte


def _head(text: str) -> str:
    """Return name and parameter types of a head, without what does not change how it is called."""
    declarator = next(find(parse(_closed(text)), "function_declarator"), None)
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if declarator is None or parameters is None:
        return " ".join(text.split())
    types = []
    for child in parameters.named_children:
        if child.type in ("parameter_declaration", "optional_parameter_declaration"):
            types.append(_parameter(child))
    return f"{declared_name(declarator).rpartition('::')[2]}({', '.join(types)})"


def _closed(text: str) -> str:
    return text.rstrip() + " {}"


_PROMISES = re.compile(r"\b(?:__restrict__|__restrict|restrict)\b")


def _parameter(node: Node) -> str:
    """Return a parameter without its name, default value and promises, white space folded."""
    text = text_of(node).partition("=")[0]
    declarator = node.child_by_field_name("declarator")
    name = declared_name(declarator) if declarator is not None else ""
    text = _PROMISES.sub(" ", text)
    if name:
        text = re.sub(rf"\b{re.escape(name)}\b(?=\s*(?:\[[^\]]*\]\s*)*$)", " ", text.rstrip())
    text = re.sub(r"\[[^\]]*\]\s*$", "*", text.rstrip())
    # ``int const`` and ``const int`` are one type, and a const value is the callee's own business.
    words = _TYPES.sub(r" \1 ", text).split()
    pointed = [word for word in words if word in "*&"]
    base = sorted(word for word in words if word not in "*&")
    if not pointed:
        base = [word for word in base if word != "const"]
    return " ".join((*base, *pointed))


def _shared_out(text: str, source: Source, unit: Unit) -> tuple[str, dict[str, str]]:
    """Return the unit's own text, and what was written for functions that the source has as well."""
    callees = {
        item.name.rpartition("::")[2]: item.id
        for item in source.closure(unit)
        if item.kind is UnitKind.DEVICE and not item.member
    }
    given: dict[str, str] = {}
    edits = []
    for name, node in _defined(text).items():
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
