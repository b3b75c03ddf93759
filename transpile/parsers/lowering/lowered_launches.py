"""Launches become calls of the emulator: ``simt::launch("k", simt::Configuration(…), k, arguments…)``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from transpile.code.edits import Change, Edit, line_ends
from transpile.code.lexer import Kind, Macro, Token, Tokens, closing, quoted, spelled, split
from transpile.parsers.lowering.bounds import LaunchBounds, launch_bounds
from transpile.parsers.text.launches import LaunchText, find_launches

_RETURN = re.compile(rb"\breturn\s*\Z")
_BEFORE = 80
"""Bytes before a launch in which a ``return`` is looked for."""
_ZERO = re.compile(rb"0[xXbB]?[0']*[uUlLzZ]*")


def launch_edits(data: bytes, tokens: Tokens, templates: frozenset[bytes]) -> Iterator[Change]:
    """Yield what changes for each launch; ``templates`` are the kernels whose name has no address."""
    bounds = launch_bounds(tokens)
    for launch in find_launches(tokens.text):
        generic = _is_template(launch.kernel, templates)
        yield tuple(_launch_edit(data, launch, tokens.macros, bounds, generic=generic))
    for macro in tokens.macros:
        for launch in find_launches(macro.body):
            generic = _is_template(launch.kernel, templates) or _passed_template(
                launch.kernel, macro, tokens, templates
            )
            yield tuple(_launch_edit(data, launch, tokens.macros, bounds, generic=generic))


def _is_template(kernel: Sequence[Token], templates: frozenset[bytes]) -> bool:
    """Tell whether the kernel expression names a template, with its arguments or with arguments to deduce."""
    if kernel[-1].text == b")" and kernel[0].text == b"(":
        kernel = kernel[1:-1]
    last = kernel[-1] if kernel else None
    if last is None:
        return False
    if last.text == b">":
        return True
    return last.kind is Kind.WORD and last.text in templates


def _passed_template(
    kernel: Sequence[Token], macro: Macro, tokens: Tokens, templates: frozenset[bytes]
) -> bool:
    """Tell whether some use of the macro in this file passes a template as the kernel."""
    if len(kernel) != 1 or macro.parameters is None or kernel[0].text not in macro.parameters:
        return False
    position = macro.parameters.index(kernel[0].text)
    for index, token in enumerate(tokens.text[:-1]):
        if token.text == macro.name and tokens.text[index + 1].text == b"(":
            close = closing(tokens.text, index + 1)
            arguments = split(tokens.text[index + 2 : close]) if close else []
            if (
                len(arguments) > position
                and arguments[position]
                and _is_template(arguments[position], templates)
            ):
                return True
    return False


def _launch_edit(
    data: bytes,
    launch: LaunchText,
    macros: Sequence[Macro],
    bounds: LaunchBounds,
    *,
    generic: bool,
) -> Iterator[Edit[bytes]]:
    first = launch.kernel[0].start
    name = spelled(launch.kernel).encode("utf-8", "surrogateescape")
    arguments = split(launch.arguments)
    callee = _passing_on(name, arguments, macros) if generic else name
    opened = launch.opened.end
    # A launch is of type void: functions without a result may return it.
    call = (
        b"(void)simt::launch(" if _RETURN.search(data, max(0, first - _BEFORE), first) else b"simt::launch("
    )
    yield Edit(first, opened, call + quoted(name) + b", simt::Configuration(" + line_ends(data[first:opened]))
    comma = b", " if launch.arguments else b""
    closed, after = launch.closed.start, launch.parentheses[0].end
    most = bounds.of(name.partition(b"<")[0].strip(), first)
    within = b".within(" + most + b")" if most else b""
    yield Edit(closed, after, b")" + within + b", " + callee + comma + line_ends(data[closed:after]))
    if generic:
        for argument in arguments:
            if len(argument) == 1 and argument[0].text == b"NULL":
                yield Edit(argument[0].start, argument[0].end, b"nullptr")


def _passing_on(name: bytes, arguments: Sequence[Sequence[Token]], macros: Sequence[Macro]) -> bytes:
    """Return a lambda that calls the template: it has no address before its arguments are deduced.

    A zero is a null pointer only where it is spelled, so it stands in the call itself.
    """
    zeros = [len(argument) == 1 and _ZERO.fullmatch(argument[0].text) is not None for argument in arguments]
    if not any(zeros) or any(_several(argument, macros) for argument in arguments):
        return b"[&](auto... simt_a) { " + name + b"(simt_a...); }"
    given = [b"simt_a%d" % index for index in range(len(arguments))]
    taken = [b"auto" if zero else b"auto " + one for zero, one in zip(zeros, given, strict=True)]
    passed = [
        argument[0].text if zero else one for argument, zero, one in zip(arguments, zeros, given, strict=True)
    ]
    return b"[&](" + b", ".join(taken) + b") { " + name + b"(" + b", ".join(passed) + b"); }"


def _several(argument: Sequence[Token], macros: Sequence[Macro]) -> bool:
    """Tell whether what reads as one argument may be several: a pack, a conditional, a macro with a comma."""
    words = {token.text for token in argument}
    if b"__VA_ARGS__" in words or [token.text for token in argument[-3:]] == [b"."] * 3:
        return True
    if any(token.kind is Kind.DIRECTIVE for token in argument):
        return True
    return any(macro.name in words and len(split(macro.body)) > 1 for macro in macros)
