"""Texts that make a program tell what its units are called with, see ``simt/carver.h``.

Launches tell by themselves. A function gives its name to a wrapper that stands behind it in the same file, so
that whoever calls it calls the wrapper, and macros, types and statics are those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import transpile
from transpile.code.edits import Edit, apply
from transpile.code.lexer import closing, tokenize
from transpile.core import ProgramTarget, Signature, Source, TranslationUnit, Unit, UnitKind
from transpile.parsers.text.hosts import is_plain
from transpile.toolchains.entry import quoted

_RUNTIME = "transpile_boundary"
"""Directory of what is linked in."""
_HEADERS = ("simt/carver.h", "simt/probe.h", "simt/variables.h")
_INNER = b"transpile_inner_"
"""Ahead of the name of a function behind its wrapper."""
_INSTRUMENTED = ("-fsanitize-coverage=trace-pc", "-fno-inline")
_PROTOTYPES = b"""#ifdef __cplusplus
extern "C" {
#endif
int transpile_carve_begin(unsigned, const char *, const void *);
void transpile_carve_value(const void *, __SIZE_TYPE__, int);
void transpile_carve_pointer(const void *);
void transpile_carve_ready(void);
void transpile_carve_end(unsigned, const void *, __SIZE_TYPE__);
void transpile_carve_variable(const char *, const char *, const void *, __SIZE_TYPE__);
#ifdef __cplusplus
}
#endif
#line 1
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrumented:
    """A program of functions that tell what they are called with."""

    files: Mapping[str, bytes]
    translation_units: tuple[TranslationUnit, ...]
    refused: tuple[str, ...]
    """What keeps others from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrapped:
    """A function in two: what bears its name calls the other."""

    text: bytes
    variables: str
    """Statements that name the variables at file scope that it uses."""


def with_variables(source: Source, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return lowered files that name the variables at file scope which each kernel uses."""
    texts: dict[str, dict[str, None]] = {}
    for unit in source.units:
        if unit.kind is not UnitKind.KERNEL:
            continue
        user = quoted(unit.name.rpartition("::")[2])
        for signature in source.signatures.get(unit.id, ()):
            for item in signature.variables:
                told = f"{user}, {quoted(item.name)}, &{item.name}, sizeof({item.name})"
                texts.setdefault(unit.translation_unit, {})[told] = None
    return {**files, **{path: files[path] + _registered(told) for path, told in texts.items()}}


def _registered(told: Mapping[str, None]) -> bytes:
    lines = [
        f"static const simt::CarvedVariable transpile_carved_{number}({text});\n"
        for number, text in enumerate(told)
    ]
    return ("\n" + "".join(lines)).encode("utf-8", "surrogateescape")


def is_of_functions(source: Source, program: ProgramTarget) -> bool:
    """Tell whether nothing of a program is CUDA and some of it can be judged."""
    plain = [is_plain(source.units, path) for path in program.translation_units]
    kernels = {unit.translation_unit for unit in source.units if unit.kind is UnitKind.KERNEL}
    return any(plain) and not kernels & set(program.translation_units)


def unrecorded(source: Source, program: ProgramTarget) -> tuple[str, ...]:
    """Return what is not told of a program that has kernels as well as functions."""
    told = [
        unit
        for unit in source.units
        if unit.translation_unit in program.translation_units and _of_interest(source, unit)
    ]
    return ("functions are not carved of a program that has kernels",) if told else ()


def instrumented(source: Source, program: ProgramTarget, without: frozenset[str]) -> Instrumented:
    """Return a program whose functions tell what they are called with; those ``without`` do not."""
    edits: dict[str, list[Edit[bytes]]] = {}
    ends: dict[str, list[str]] = {}
    refused = []
    for number, unit in enumerate(source.units):
        if unit.translation_unit not in program.translation_units or not _of_interest(source, unit):
            continue
        made = _wrapped(source, unit, number) if unit.id not in without else "its wrapper does not compile"
        if isinstance(made, str):
            refused.append(f"calls of `{unit.name}` give no trials: {made}")
            continue
        edits.setdefault(unit.path, []).append(Edit(unit.span.start, unit.span.end, made.text))
        ends.setdefault(unit.translation_unit, []).append(made.variables)
    files = dict(source.files)
    for path in {*edits, *ends}:
        files[path] = _PROTOTYPES + apply(files[path], edits.get(path, ()))
    for path, statements in ends.items():
        files[path] += _at_start("".join(statements))
    return Instrumented(
        files=files | _runtime(),
        translation_units=tuple(_units(source, program)),
        refused=tuple(refused),
    )


def _of_interest(source: Source, unit: Unit) -> bool:
    return unit.kind is UnitKind.FUNCTION and unit.active and bool(source.signatures.get(unit.id))


def blamed(output: str, source: Source) -> frozenset[str]:
    """Return the ids of the functions whose wrappers a compiler complains of."""
    names = set(re.findall(rf"{_INNER.decode()}(\w+)", output))
    return frozenset(unit.id for unit in source.units if unit.name.rpartition("::")[2] in names)


def _units(source: Source, program: ProgramTarget) -> Iterator[TranslationUnit]:
    for unit in source.translation_units:
        if unit.path in program.translation_units:
            yield replace(unit, flags=(*unit.flags, *_INSTRUMENTED))
    yield TranslationUnit(path=f"{_RUNTIME}/boundary.cpp", flags=(f"-I{_RUNTIME}",))


def _runtime() -> dict[str, bytes]:
    headers = Path(transpile.__file__).parent / "simt" / "include"
    texts = {name: (headers / name).read_bytes() for name in _HEADERS}
    texts["boundary.cpp"] = (Path(__file__).parent / "boundary.cpp").read_bytes()
    return {f"{_RUNTIME}/{name}": text for name, text in texts.items()}


def _at_start(statements: str) -> bytes:
    """Return text at the end of a file that runs before anything else of the program."""
    if not statements:
        return b""
    name = f"{_RUNTIME}_variables"
    text = f"\n__attribute__((constructor(101))) static void {name}(void) {{\n{statements}}}\n"
    return text.encode("utf-8", "surrogateescape")


def _wrapped(source: Source, unit: Unit, number: int) -> _Wrapped | str:
    """Return a function as two, or why it cannot be one that tells."""
    signature, *others = source.signatures[unit.id]
    if signature.functions:
        return "which functions it is given is not followed"
    if signature.signals:
        return f"it calls `{signature.signals[0].name}`, which only the program defines"
    if others or signature.template_arguments is not None:
        return "it is a template"
    if not all(signature.names):
        return "a parameter has no name"
    if signature.returns is not None and not signature.returns.leaves:
        return "what it returns is a pointer, or of unknown layout"
    taken = signature.assembly.taken if signature.assembly else signature.names
    if not all(taken):
        return "rows behind pointers are not followed"
    split = _split(unit)
    if isinstance(split, str):
        return split
    head, inner, body = split
    wrapper = _wrapper(unit, signature, number, taken)
    text = b"%s\n;\n%s\n%s\n%s\n%s" % (head, inner, body, head, wrapper.encode("utf-8", "surrogateescape"))
    variables = "".join(
        f"    transpile_carve_variable({quoted(unit.id)}, {quoted(item.name)}, (const void *)&{item.name},"
        f" sizeof({item.name}));\n"
        for item in signature.globals
    )
    return _Wrapped(text=text, variables=variables)


def _split(unit: Unit) -> tuple[bytes, bytes, bytes] | str:
    """Return a function's head, the same under the inner name, and its body."""
    tokens = tokenize(unit.text).text
    name = unit.name.rpartition("::")[2].encode("utf-8", "surrogateescape")
    for index, token in enumerate(tokens[:-1]):
        if token.text == b"{":
            break
        if token.text != name or tokens[index + 1].text != b"(":
            continue
        close = closing(tokens, index + 1)
        if close is None or (index and tokens[index - 1].text == b"::"):
            break
        after = next((item for item in tokens[close:] if item.text in (b"{", b";")), None)
        if after is None or after.text == b";":
            break
        head = unit.text[: after.start]
        if any(item.text in (b"=", b".") for item in tokens[index:close]) or b"constexpr" in head:
            break
        inner = head[: token.start] + _INNER + head[token.start :]
        return head, inner, unit.text[after.start :]
    return "its definition is of a form that is not wrapped"


def _wrapper(unit: Unit, signature: Signature, number: int, taken: tuple[str, ...]) -> str:
    """Return the body of a function that tells what it is called with, calls, and tells what came of it."""
    told = [
        f"transpile_carve_pointer((const void *)({text}));"
        if parameter.pointer
        else f"{{ __typeof__({text}) transpile_part = {text};"
        f" transpile_carve_value(&transpile_part, sizeof transpile_part, {int(_whole(signature, index))}); }}"
        for index, (parameter, text) in enumerate(zip(signature.parameters, taken, strict=True))
    ]
    name = unit.name.rpartition("::")[2]
    call = f"{_INNER.decode()}{name}({', '.join(signature.names)})"
    ended = f"if (transpile_taken) transpile_carve_end({number}u, "
    made = (
        [f"{call};", f"{ended}0, 0);"]
        if signature.returns is None
        else [
            f"__typeof__({call}) transpile_result = {call};",
            f"{ended}&transpile_result, sizeof transpile_result);",
            "return transpile_result;",
        ]
    )
    lines = [
        f"const int transpile_taken = transpile_carve_begin({number}u, {quoted(unit.id)},"
        " __builtin_frame_address(0));",
        "if (transpile_taken) {",
        *(f"    {line}" for line in told),
        "    transpile_carve_ready();",
        "}",
        *made,
    ]
    return "{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"


def _whole(signature: Signature, index: int) -> bool:
    element = signature.parameters[index].element
    return element is not None and element.scalar is not None and not element.scalar.floating
