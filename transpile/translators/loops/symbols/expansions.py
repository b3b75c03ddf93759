"""Macros that stand for elements, for their numbers or for statements: analysis sees what they stand for.

With ``#define U(i, j) u[(i) * n + (j)]`` it looks at ``u[(i) * n + (j)]`` in the place of ``U(i, j)``. What
of that comes through a translation unchanged is spelled again as the author spelled it: the preprocessor
makes the same tokens of both (C11 6.10.3).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from transpile.code.edits import Edit, apply_outermost
from transpile.code.lexer import Kind, Macro, Token, closing, tokenize
from transpile.code.syntax import find, parse, replace, source
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

_ARITHMETIC = frozenset((b"+", b"-", b"*", b"/", b"%", b"(", b")", b","))
_JOINING = (b"#", b"##")
_SET = re.compile(r"(?<![\w\].>])[^\W\d]\w*\s*=\s*$")
"""The end of a text whose continuation a variable is set to."""
_GLUED = re.compile(rb"[+\-&|<>=]{2}|[\w$]{2}")
"""Two characters that would be one token beside each other."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A use of a macro, and what it stands for."""

    written: str
    expanded: str


def expanded(text: str, around: EnclosingScope) -> tuple[str, tuple[Spelling, ...]]:
    """Return a function with macros expanded that hide what its loops do, and how these are spelled.

    Macros that have several definitions, name themselves or join tokens stay; so do uses on several lines.
    """
    macros, body = _hiding(text, around), text.find("{")
    edits = [
        edit
        for edit in _uses(text.encode("latin-1"), macros)
        if edit.start > body and "\n" not in text[edit.start : edit.end] and not _again(edit, macros)
    ]
    chosen = [edit for edit in edits if "?" not in edit.text or _is_assigned(text, edit)]
    return _applied(text, chosen)


def with_types(text: str, around: EnclosingScope) -> tuple[str, tuple[Spelling, ...]]:
    """Return a function with types in the place of the names that the source has for them.

    The name stays as a comment, by which it is found again.
    """
    root = parse(text)
    own = {
        source(name)
        for item in find(root, "template_parameter_list")
        for name in find(item, "type_identifier")
    }
    found = [(node, source(node)) for node in find(root, "type_identifier")]
    return _applied(
        text,
        [
            replace(node, f"{around.meanings[name]}/*{name}*/")
            for node, name in found
            if name in around.meanings and name not in own
        ],
    )


def _applied(text: str, edits: Sequence[Edit[str]]) -> tuple[str, tuple[Spelling, ...]]:
    found = dict.fromkeys(Spelling(text[edit.start : edit.end], edit.text) for edit in edits)
    return apply_outermost(text, edits), tuple(found)


def spelled(text: str, spellings: Iterable[Spelling]) -> str:
    """Return a text with what macros stand for as their author spelled it."""
    for item in sorted(spellings, key=lambda item: -len(item.expanded)):
        pieces = re.split(rf"(?<![\w.]){re.escape(item.expanded)}(?!\w)", text)
        text = item.written.join(pieces)
    return text


def _hiding(text: str, around: EnclosingScope) -> dict[bytes, Macro]:
    """Return the macros that are expanded in a function, by their names."""
    names = set(re.findall(r"[^\W\d]\w*", text))
    own = {macro.name for macro in tokenize(text.encode("latin-1")).macros}
    found: dict[bytes, Macro] = {}
    for name, macro in around.single.items():
        if name in around.own or macro.name in own or "#undef" in text:
            continue
        reckons = _reckons(macro) and (macro.parameters or around.words[name] & names)
        if name in around.values and not (reckons or _chooses(macro)):
            continue
        joins = any(token.text in _JOINING for token in macro.body)
        if len(macro.body) > 1 and not joins and _is_known(macro, around):
            found[macro.name] = macro
    return found


def _reckons(macro: Macro) -> bool:
    """Tell whether a macro is a sum or a product of whole numbers, as the number of an element is."""
    return all(
        token.kind is Kind.WORD or token.text.isdigit() or token.text in _ARITHMETIC for token in macro.body
    )


def _chooses(macro: Macro) -> bool:
    """Tell whether a macro chooses one of its arguments, as ``MAX(a, b)`` does."""
    return bool(macro.parameters) and any(token.text == b"?" for token in macro.body)


def _is_assigned(text: str, edit: Edit[str]) -> bool:
    """Tell whether what is edited is all that a variable is set to: it may gather an extreme."""
    return _SET.search(text[: edit.start]) is not None and text[edit.end :].lstrip().startswith(";")


def _is_known(macro: Macro, around: EnclosingScope) -> bool:
    """Tell whether what a macro calls is the same wherever it is defined."""
    for token, behind in zip(macro.body, macro.body[1:], strict=False):
        name = token.text.decode("latin-1")
        if behind.text == b"(" and name in around.defined and name not in around.single:
            return False
    return True


def _uses(
    data: bytes, macros: Mapping[bytes, Macro], hidden: frozenset[bytes] = frozenset()
) -> Iterator[Edit[str]]:
    """Yield the edits that expand the uses of macros in a text, but for those that are being expanded."""
    tokens, at = tokenize(data).text, 0
    while at < len(tokens):
        token = tokens[at]
        macro = macros.get(token.text) if token.text not in hidden else None
        given = (
            _arguments(tokens, at, data) if macro is not None and macro.parameters is not None else ([], at)
        )
        at += 1
        if macro is None or given is None or len(given[0]) != len(macro.parameters or ()):
            continue
        values, last = given
        at = last + 1
        by_name = {
            name: _expanded(value, macros, hidden)
            for name, value in zip(macro.parameters or (), values, strict=True)
        }
        text = _expanded(_substituted(macro, by_name), macros, hidden | {macro.name})
        yield Edit(token.start, tokens[last].end, text.decode("latin-1"))


def _again(edit: Edit[str], macros: Mapping[bytes, Macro]) -> bool:
    """Tell whether a macro is named in what it stands for, where the preprocessor leaves it alone."""
    return any(True for _ in _uses(edit.text.encode("latin-1"), macros))


def _expanded(data: bytes, macros: Mapping[bytes, Macro], hidden: frozenset[bytes]) -> bytes:
    return apply_outermost(data.decode("latin-1"), _uses(data, macros, hidden)).encode("latin-1")


def _arguments(tokens: Sequence[Token], at: int, data: bytes) -> tuple[list[bytes], int] | None:
    """Return what a macro is given, and the place of the bracket behind that; None where it is not called."""
    last = closing(tokens, at + 1) if at + 1 < len(tokens) and tokens[at + 1].text == b"(" else None
    if last is None:
        return None
    values, depth, start = list[bytes](), 0, tokens[at + 1].end
    for token in tokens[at + 2 : last]:
        depth += (token.text == b"(") - (token.text == b")")
        if token.text == b"," and depth == 0:
            values.append(data[start : token.start].strip())
            start = token.end
    return [*values, data[start : tokens[last].start].strip()], last


def _substituted(macro: Macro, values: Mapping[bytes, bytes]) -> bytes:
    """Return the body of a macro with what it is given, spaced as in its definition."""
    result, end, ends_given = b"", macro.body[0].start, False
    for token in macro.body:
        given = token.text in values
        text = values.get(token.text, token.text)
        joined = (given or ends_given) and _GLUED.fullmatch(result[-1:] + text[:1])
        result += (b" " if joined or token.start > end else b"") + text
        end, ends_given = token.end, given
    return result
