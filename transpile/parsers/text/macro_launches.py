"""Launches in the bodies of macros, at each use of these, which may say which kernel is launched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from transpile.code.lexer import Kind, Macro, Token, tokenize
from transpile.code.macros import Defined, Expansion, defined, expanded, use_end
from transpile.core import Span
from transpile.parsers.text.launches import LaunchText, find_launches

_ASSIGNING = frozenset(b"+ - * / % & | ^ < >".split())
_NO_TYPES = frozenset((b"return", b"case", b"else", b"throw", b"sizeof", b"new", b"goto"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A launch that a use of a macro makes."""

    launch: LaunchText
    """In the text that the use stands for."""
    path: str
    """Of the file with the macro."""
    written: LaunchText
    """In the body of the macro."""
    anything: bool
    """The macro is given the kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A use of a macro that launches."""

    tokens: Sequence[Token]
    """In the file."""
    expansion: Expansion
    launches: tuple[Given, ...]

    @property
    def span(self) -> Span:
        """Return the bytes from the macro's name to the closing parenthesis."""
        return Span(start=self.tokens[0].start, end=self.tokens[-1].end)

    def only_launches(self, kernel: bytes) -> bool:
        """Tell whether the use does nothing with a kernel but launch it."""
        launched = {token.start for item in self.launches for token in item.launch.kernel}
        return all(token.text != kernel or token.start in launched for token in self.expansion.tokens)

    def sets(self) -> frozenset[bytes]:
        """Return the names that may be variables of the use's own, or are changed by it."""
        tokens = self.expansion.tokens
        return frozenset(token.text for index, token in enumerate(tokens) if _is_set(tokens, index))


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroLaunches:
    """The uses of macros that launch, in a source."""

    uses: Mapping[str, tuple[Use, ...]]
    """By file."""
    complete: bool
    """There is no use besides these."""

    def at(self, path: str, place: int) -> Use | None:
        """Return the use around a place of a file."""
        found = (use for use in self.uses.get(path, ()) if use.span.start <= place < use.span.end)
        return next(found, None)

    def shown(self, path: str, launch: LaunchText) -> bool:
        """Tell whether the uses show all that a launch in the body of a macro is."""
        uses = (use for several in self.uses.values() for use in several)
        made = (item for use in uses for item in use.launches)
        return self.complete and any(item.path == path and item.written == launch for item in made)


class _Written(NamedTuple):
    """A launch in the body of a macro, and whether the macro is given its kernel."""

    launch: LaunchText
    anything: bool


def is_given(launch: LaunchText, macro: Macro) -> bool:
    """Tell whether the kernel of a launch in the body of a macro is named by what the macro is given."""
    names = {*(macro.parameters or ()), b"__VA_ARGS__"}
    return any(token.text in names for token in launch.kernel)


def macro_launches(files: Mapping[str, bytes], visible: Mapping[str, frozenset[str]]) -> MacroLaunches:
    """Return the launches that uses of macros make.

    Args:
        files: The code of a source.
        visible: The files that share a translation unit with a file.
    """
    written = {path: bodies for path in files if (bodies := dict(_written(files[path])))}
    if not written:
        return MacroLaunches(uses={}, complete=True)
    launching = _launching(files, written)
    uses: dict[str, tuple[Use, ...]] = {}
    complete = True
    for path in files:
        text = tokenize(files[path]).text
        together = {path, *visible.get(path, ())}
        known = defined({other: files[other] for other in sorted(together) if other in files})
        found = tuple(_uses(path, text, known, launching, written, files[path]))
        seen = {token.start for use in found for token in use.tokens}
        complete = complete and all(
            token.start in seen for token in text if token.kind is Kind.WORD and token.text in launching
        )
        complete = complete and all(
            macro.name in known for macro in tokenize(files[path]).macros if macro.name in launching
        )
        uses[path] = found
    if not complete:  # What the text of a macro launches by name is launched by uses that nobody sees, too.
        uses = {path: tuple(filter(_for_anything, found)) for path, found in uses.items()}
    return MacroLaunches(uses=uses, complete=complete)


def _for_anything(use: Use) -> bool:
    """Tell whether all kernels that a use launches are given to macros."""
    return all(item.anything for item in use.launches)


def _written(data: bytes) -> Iterator[tuple[int, _Written]]:
    """Yield the launches in macros by where their ``<<<`` begins."""
    if b"<" in data and b"define" in data:
        for macro in tokenize(data).macros:
            for launch in find_launches(macro.body):
                yield launch.opened.start, _Written(launch, is_given(launch, macro))


def _launching(files: Mapping[str, bytes], written: Mapping[str, Mapping[int, _Written]]) -> frozenset[bytes]:
    """Return the names of the macros that launch, or use one that does."""
    macros = [(path, macro) for path, data in files.items() for macro in tokenize(data).macros]
    names = {
        macro.name
        for path, macro in macros
        if any(token.start in written.get(path, ()) for token in macro.body)
    }
    while True:
        more = {
            macro.name
            for _, macro in macros
            if macro.name not in names and any(token.text in names for token in macro.body)
        }
        if not more:
            return frozenset(names)
        names |= more


def _uses(
    path: str,
    text: Sequence[Token],
    known: Mapping[bytes, Defined],
    launching: frozenset[bytes],
    written: Mapping[str, Mapping[int, _Written]],
    data: bytes,
) -> Iterator[Use]:
    """Yield the uses in the text of a file, those in arguments of others with these."""
    at = 0
    while at < len(text):
        item = known.get(text[at].text) if text[at].text in launching else None
        end = None if item is None else use_end(text, at, item.macro)
        tokens = text[at : end + 1] if end is not None else ()
        expansion = expanded(path, tokens, known, data) if tokens else None
        if expansion is not None and end is not None:
            yield Use(tokens=tokens, expansion=expansion, launches=tuple(_given(expansion, written)))
            at = end
        at += 1


def _given(expansion: Expansion, written: Mapping[str, Mapping[int, _Written]]) -> Iterator[Given]:
    """Yield the launches in what a use stands for that are written in a macro."""
    origins = dict(zip((token.start for token in expansion.tokens), expansion.origins, strict=True))
    for launch in find_launches(expansion.tokens):
        origin = origins[launch.opened.start]
        body = written.get(origin.path, {}).get(origin.token.start)
        if body is not None:
            yield Given(launch=launch, path=origin.path, written=body.launch, anything=body.anything)


def _is_set(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a name is declared, assigned to, counted or has its address taken."""
    if tokens[index].kind is not Kind.WORD:
        return False
    before = tokens[index - 1] if index else None
    last = [token.text for token in tokens[max(0, index - 2) : index]]
    behind = [token.text for token in tokens[index + 1 : index + 4]] + [b""] * 3
    if before is not None and before.kind is Kind.WORD and before.text not in _NO_TYPES:
        return True
    if last[-1:] == [b"&"] and last[:1] != [b"&"]:
        return True
    if behind[0] == b"=":
        return behind[1] != b"="
    counted = [b"+", b"+"], [b"-", b"-"]
    if last in counted or behind[:2] in counted:
        return True
    shifted = behind[0] == behind[1] and behind[0] in (b"<", b">") and behind[2] == b"="
    return shifted or (behind[0] in _ASSIGNING - {b"<", b">"} and behind[1] == b"=")
