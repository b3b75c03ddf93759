"""Launches by macros that are given the kernel become calls, in the macro or in each of its uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from transpile.code.edits import Edit, apply
from transpile.code.lexer import tokenize
from transpile.core import Candidate, LaunchSite, MacroLaunch, Span

_ALONE = re.compile(r"[A-Za-z_]\w*(?:\s*\.\s*[xyz])?")
"""Texts that need no brackets in place of a macro's parameter."""
_DEFINITION = rb"(?m)^[ \t]*#[ \t]*define[ \t]+%s\b"
Caller = Callable[[LaunchSite, Candidate], str]
"""Writes a launch as a call of its candidate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A launch by a macro, and the candidate that takes the kernel's place; None where it stays a launch."""

    site: LaunchSite
    candidate: Candidate | None
    parameters: tuple[str, ...]
    """Names of the kernel's."""


def macro_edits(
    found: list[Called], call: Caller, files: Mapping[str, bytes]
) -> Iterator[tuple[str, Edit[bytes]]]:
    """Yield the edits, by file, that make calls of launches by macros.

    A macro that is used no more goes, since what it says of the device is said where it was used.
    """
    apart: set[tuple[str, Span]] = set()
    unused: set[tuple[str, Span]] = set()
    for macro, several in _by_macro(found).items():
        text = _agreed(several, call)
        if text is not None:
            yield macro[0], _edit(macro[1], text)
            continue
        uses = {(item.site.path, item.site.span) for item in several}
        called = {(item.site.path, item.site.span) for item in several if item.candidate is not None}
        apart |= called
        if uses == called and all(item.site.macro and item.site.macro.complete for item in several):
            unused.add(macro)
    for path, span in sorted(apart, key=lambda place: (place[0], place[1].start)):
        use = [item for item in found if item.site.path == path and item.site.span == span]
        yield path, Edit(span.start, span.end, _written_out(use, call))
    for path, span in unused:
        yield path, _removal(files[path], span)


def _edit(span: Span, text: str) -> Edit[bytes]:
    return Edit(span.start, span.end, text.encode("utf-8", "surrogateescape"))


def _removal(data: bytes, span: Span) -> Edit[bytes]:
    """Return the edit that removes the definition of the macro around a launch."""
    end = next(macro.end for macro in tokenize(data).macros if macro.end >= span.end)
    name = next(macro.name for macro in tokenize(data).macros if macro.end == end)
    start = max(found.start() for found in re.finditer(_DEFINITION % re.escape(name), data[:end]))
    return Edit(start, min(end + 1, len(data)), b"")


def _by_macro(found: list[Called]) -> Mapping[tuple[str, Span], list[Called]]:
    groups: dict[tuple[str, Span], list[Called]] = {}
    for item in found:
        if item.site.macro is not None:
            groups.setdefault((item.site.macro.path, item.site.macro.span), []).append(item)
    return groups


def _agreed(several: list[Called], call: Caller) -> str | None:
    """Return the call that stands for a launch in a macro at all of its uses; None where they differ."""
    texts = {_in_macro(item, call) for item in several}
    return texts.pop() if len(texts) == 1 else None


def _in_macro(item: Called, call: Caller) -> str | None:
    """Return the call in words of the macro; None where it cannot be put so."""
    macro, candidate = item.site.macro, item.candidate
    if macro is None or candidate is None or not macro.complete:
        return None
    if _callee(call(item.site, candidate)) != _plain(item.site.kernel):
        return None
    if len(item.site.arguments) < len(item.parameters):
        return None  # others have their defaults
    if candidate.binding.arguments == item.parameters:
        return f"{_plain(macro.kernel)}({', '.join(macro.arguments)})"
    alone = all(_ALONE.fullmatch(text.strip()) for text in candidate.binding.arguments)
    if not alone or len(macro.arguments) != len(item.site.arguments) or not _is_one_for_one(macro):
        return None
    written = replace(
        item.site,
        kernel=macro.kernel,
        configuration=macro.configuration,
        arguments=macro.arguments,
        macro=None,
    )
    text = call(written, candidate)
    return _plain(macro.kernel) + text[len(_callee(text)) :]


def _is_one_for_one(macro: MacroLaunch) -> bool:
    """Tell whether what is passed is written argument by argument."""
    return not any("__VA_ARGS__" in text for text in macro.arguments)


def _callee(text: str) -> str:
    return text.partition("(")[0]


def _plain(kernel: str) -> str:
    kernel = kernel.strip()
    return kernel[1:-1].strip() if kernel.startswith("(") and kernel.endswith(")") else kernel


def _written_out(use: list[Called], call: Caller) -> bytes:
    """Return the text that a use of macros stands for, with calls in it."""
    edits = [
        _edit(item.site.macro.place, call(item.site, item.candidate))
        for item in use
        if item.site.macro is not None and item.candidate is not None
    ]
    expansion = next(item.site.macro.expansion for item in use if item.site.macro is not None)
    return apply(expansion, edits)
