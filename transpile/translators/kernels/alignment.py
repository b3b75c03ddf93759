"""Alignments and attributes of variables, as standard C++ spells them."""

from __future__ import annotations

import re

from transpile.code.comments import code
from transpile.translators.kernels.draft import Draft

_NESTED = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_HINTS = r"_*(?:unused|maybe_unused|hot|cold|noinline|always_inline|flatten|used)_*"
_HINT = re.compile(rf"\s*\b__attribute__\s*\(\(\s*{_HINTS}(?:\s*,\s*{_HINTS})*\s*\)\)")
"""Attributes that say nothing of what a variable holds; the grammar takes later ones for statements."""
_ALIGNED = re.compile(
    rf"\s*\b(?:(?:__align__|alignas)\s*(?P<cuda>{_NESTED})"
    rf"|__attribute__\s*\(\(\s*_*aligned_*\s*(?P<gnu>{_NESTED})\s*\)\))"
)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
_CLASS = re.compile(r"\b(?:struct|class|union)\s*$")


def alignment(draft: Draft) -> Draft:
    """Write alignments ahead of the declarations that they are in, and drop hints to the compiler."""
    text = draft.text
    for hint in reversed(list(_HINT.finditer(code(text)))):
        text = text[: hint.start()] + text[hint.end() :]
    bare = code(text)
    for found in reversed(list(_ALIGNED.finditer(bare, max(bare.find("{"), 0)))):
        text = _moved(text, found)
    return draft if text == draft.text else draft.after("alignment", text)


def _moved(text: str, found: re.Match[str]) -> str:
    """Return a text with an alignment at the beginning of its declaration.

    Memory that a launch sizes has the alignment that allocated memory has.
    """
    asked = f"alignas{found['cuda'] or found['gnu']} "
    ahead = _DIRECTIVE.sub(lambda line: ";" * len(line.group()), code(text[: found.start()]))
    if _CLASS.search(ahead):
        return f"{text[: found.start()]} {asked}{text[found.end() :].lstrip(' ')}"
    begin = max(ahead.rfind(mark) for mark in ";{}") + 1
    words = code(text[begin:])
    begin += len(words) - len(words.lstrip())
    rest = text[found.end() :]
    if begin >= found.start():  # it is the first word
        begin, between, rest = found.end() - len(found.group().lstrip()), "", rest.lstrip(" ")
    else:
        between = text[begin : found.start()]
    declared = re.split("[;={]", code(between + rest), maxsplit=1)[0]
    if re.search(r"\bextern\b", declared) and "__shared__" in declared:
        asked = ""
    return text[:begin] + asked + between + rest
