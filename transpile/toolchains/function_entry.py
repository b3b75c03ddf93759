"""Text that ends a translation unit of plain C or C++: one uniform way into each of its functions.

The entries keep to the ABI of ``entry.py``; their text is C and C++ alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from transpile.core import SIGNALS, ElementType, Parameter, Signal, Signature
from transpile.toolchains.entry import Passage, bound, overloaded, quoted, spelled

_KEYWORDS = frozenset(
    (
        *("and", "bool", "catch", "class", "delete", "explicit", "export", "false", "friend", "mutable"),
        *("namespace", "new", "not", "operator", "or", "private", "protected", "public", "template", "this"),
        *("throw", "true", "try", "typename", "using", "virtual", "xor"),
    )
)
"""Names that parameters may have in C, but not in C++."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionCall:
    """A call of a function, or of a candidate in its place."""

    signature: Signature
    """Of the source: what the trial provides, and what is returned."""
    function: str
    """Expression that names what is called."""
    arguments: tuple[str, ...]
    """Expressions over the names of the parameters."""
    isolated: bool = False
    """Host and device memory are kept apart while it runs on the emulator."""
    device: tuple[str, ...] = ()
    """Parameters whose buffers are memory of the device."""


def source_calls(signatures: Sequence[Signature]) -> list[FunctionCall]:
    """Return the calls of the source's own functions."""
    several = overloaded(signatures)
    return [
        FunctionCall(
            signature=item,
            function=_chosen(item) if item.callable in several and not item.assembly else item.callable,
            arguments=item.names if item.assembly else names(item),
        )
        for item in signatures
    ]


def candidate_calls(passages: Sequence[Passage]) -> bytes:
    """Return entries that call candidates for functions as their bindings say."""
    return function_entries(
        [
            FunctionCall(
                signature=item.signature,
                function=bound(item.binding, item.namespace),
                arguments=item.binding.arguments,
                isolated=item.isolated,
                device=item.binding.device,
            )
            for item in passages
        ]
    )


def names(signature: Signature) -> tuple[str, ...]:
    """Return the names that the parameters have in an entry; those without one are numbered."""
    return tuple(_name(item, index) for index, item in enumerate(signature.parameters))


def function_entries(calls: Sequence[FunctionCall]) -> bytes:
    """Return entries that make the calls, in the given order."""
    parameters = {name: None for call in calls for name in names(call.signature)}
    hidden = "".join(f"#undef {name}\n" for name in parameters)
    texts = [_entry(index, call) for index, call in enumerate(calls)]
    stubs = _stubs([item for call in calls for item in call.signature.signals])
    return ("\n" + hidden + stubs + "".join(texts)).encode("utf-8", "surrogateescape")


def _stubs(signals: Sequence[Signal]) -> str:
    """Return functions in place of signals, which note in one number what they are told, and when."""
    if not signals:
        return ""
    return f"static unsigned long long {SIGNALS.name};\n" + "".join(map(_stub, dict.fromkeys(signals)))


def _stub(signal: Signal) -> str:
    name = SIGNALS.name
    taken = ", ".join(f"{kind} told_{index}" for index, kind in enumerate(signal.types)) or "void"
    told = (f"{crc32(signal.name.encode())}u", *(f"told_{index}" for index in range(len(signal.types))))
    noted = "".join(f"    {name} = {name} * 1099511628211u + (unsigned long long){text};\n" for text in told)
    return f"#undef {signal.name}\nvoid {signal.name}({taken}) {{\n{noted}}}\n"


def _entry(index: int, call: FunctionCall) -> str:
    signature = call.signature
    count = len(signature.parameters)
    parts = list(zip(signature.parameters, names(signature), strict=True))
    declared = [
        f"    {_type(item)} {name} = *({_type(item)} *)transpile_arguments[{position}];"
        for position, (item, name) in enumerate(parts)
    ]
    called = f"{call.function}({', '.join(_passed(signature, text) for text in call.arguments)})"
    kept = f"*({_base(signature.returns)} *)transpile_arguments[{count + 1}] = " if signature.returns else ""
    assembly = signature.assembly
    lines = [
        _globals(index, signature)
        + f"TRANSPILE_ENTRY int transpile_entry_{index}(void **transpile_arguments) {{",
        *declared,
        *(f"    {text}" for text in (assembly.before if assembly else ())),
        f"    TRANSPILE_ISOLATE({int(call.isolated)});",
        f"    TRANSPILE_PREPARE(transpile_arguments[{count}]);",
        *(f"    {text}" for text in _sides(call)),
        f"    {kept}{called};",
        *(f"    {text}" for text in (assembly.after if assembly else ())),
        f"    return TRANSPILE_STATUS({int(bool(call.device))});",
        "}\n",
    ]
    return "\n".join(lines)


def _sides(call: FunctionCall) -> Iterator[str]:
    """Yield whose memory every argument leads to, where some of it is the device's."""
    for item, name in zip(call.signature.parameters, names(call.signature), strict=True):
        if call.device and item.pointer:
            yield f"TRANSPILE_MEMORY_OF({name}, {int(item.name in call.device)});"


def _passed(signature: Signature, text: str) -> str:
    """Return an argument as it is passed; the name of one of the source's parameters stands for that."""
    made = dict(signature.assembly.arguments) if signature.assembly else {}
    if made.get(text, text) != text:
        return made[text]
    for item, name in zip(signature.parameters, names(signature), strict=True):
        if text in (item.name, name):
            return _pointer(item, name) if item.pointer else name
    return text


def _pointer(parameter: Parameter, name: str) -> str:
    """Return a pointer of the declared type; of one to rows or functions, whatever is asked for."""
    if parameter.element is None or "[" in parameter.spelling or "(" in parameter.spelling:
        return f"TRANSPILE_POINTER({name})"
    return f"({'const ' if parameter.const else ''}{_base(parameter.element)} *){name}"


def _globals(index: int, signature: Signature) -> str:
    rows = "".join(
        f"    {{{quoted(item.name)}, (void *)&{item.name}, sizeof({item.name})}},\n"
        for item in signature.globals
    )
    table = f"const struct transpile_global transpile_globals_{index}[]"
    return f"TRANSPILE_TABLE {table};\n{table} = {{\n{rows}    {{0, 0, 0}},\n}};\n"


def _chosen(signature: Signature) -> str:
    """Return the one of several functions of a name, by its parameter types."""
    types = ", ".join(spelled(item) for item in signature.parameters)
    result = _base(signature.returns) if signature.returns else "void"
    return f"static_cast<{result} (*)({types})>({signature.callable})"


def _name(parameter: Parameter, index: int) -> str:
    if parameter.name in _KEYWORDS:
        return f"transpile_named_{index}"
    return parameter.identifier or f"transpile_unnamed_{index}"


def _type(parameter: Parameter) -> str:
    return "void *" if parameter.pointer else _base(parameter.element)


def _base(element: ElementType | None) -> str:
    if element is None:
        return "int"
    return "transpile_bool" if element.spelling == "_Bool" else element.spelling
