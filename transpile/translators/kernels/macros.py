"""Macros that hide CUDA from the syntax tree."""

from __future__ import annotations

import re
from collections.abc import Mapping

from transpile.translators.kernels.cuda_names import CUDA_NAME
from transpile.translators.kernels.draft import Draft

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:define|undef|ifn?def)\b(?:[^\n\\]|\\.|\\\r?\n)*", re.MULTILINE)
"""Directives that name a macro and do not call it."""
_LIMIT = 1000
"""Calls of macros that are expanded in one function: a macro may expand to itself."""
_OF_HIP = {
    f"hip{name[0].upper()}{name[1:]}_{axis}": f"\n{name}.{axis}"
    for name in ("threadIdx", "blockIdx", "blockDim", "gridDim")
    for axis in "xyz"
}
"""Macros of AMD's headers, no text of which a source has."""


def expand_macros(draft: Draft) -> Draft:
    """Expand the macros that mention CUDA or are called like a variable: no pass could see through them."""
    text = draft.text
    macros = _OF_HIP | dict(draft.surroundings.macros)
    hiding = _hiding(macros) | _called_like_variables(macros, text)
    for _ in range(_LIMIT):
        new = _expand_once(text, hiding)
        if new == text:
            break
        text = new
    return draft.after("expand-macros", text)


def _hiding(macros: Mapping[str, str]) -> dict[str, str]:
    """Return the macros that reach a CUDA name, directly or through other macros."""
    found: dict[str, str] = {n: d for n, d in macros.items() if CUDA_NAME.search(d.partition("\n")[2])}
    while True:
        more = {
            n: d
            for n, d in macros.items()
            if n not in found and any(re.search(rf"\b{re.escape(k)}\b", d.partition("\n")[2]) for k in found)
        }
        if not more:
            return {n: d for n, d in found.items() if not CUDA_NAME.fullmatch(n)}
        found |= more


def _called_like_variables(macros: Mapping[str, str], text: str) -> dict[str, str]:
    """Return the macros with parameters whose name alone stands for something else: ``A(i, j)`` and ``A``."""
    calling = _calling(text)
    return {
        name: definition
        for name, definition in macros.items()
        if definition.partition("\n")[0] and re.search(rf"\b{re.escape(name)}\b(?!\s*\()", calling)
    }


def _calling(text: str) -> str:
    """Return the text, as long as it is, with blanks for the directives that name macros."""
    return _DIRECTIVE.sub(lambda match: " " * len(match.group()), text)


def _expand_once(text: str, macros: dict[str, str]) -> str:
    calling = _calling(text)
    for name, definition in macros.items():
        parameters, _, body = definition.partition("\n")
        called = r"(?=\s*\()" if parameters else ""
        match = re.search(rf"\b{re.escape(name)}\b{called}", calling)
        if match is None:
            continue
        if not parameters:
            return text[: match.start()] + body + text[match.end() :]
        call = _call(text, match.end())
        if call is None:
            continue
        values, end = call
        return text[: match.start()] + _substituted(parameters, body, values) + text[end:]
    return text


def _call(text: str, at: int) -> tuple[list[str], int] | None:
    """Return the arguments in the parentheses that follow, and where they end."""
    opening = re.match(r"\s*\(", text[at:])
    if opening is None:
        return None
    depth, start, values = 0, at + opening.end(), []
    for index in range(start, len(text)):
        char = text[index]
        if char in "([{":
            depth += 1
        elif char == ")" and depth == 0:
            values.append(text[start:index].strip())
            return values, index + 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            values.append(text[start:index].strip())
            start = index + 1
    return None


def _substituted(parameters: str, body: str, values: list[str]) -> str:
    names = [name.strip() for name in parameters.strip("()").split(",")]
    table = dict(zip(names, values, strict=False))
    # `(row) + 1` would be read as a cast of `+1`, and no pass would see the variable.
    plain = [name for name in names if re.fullmatch(r"\w+", table.get(name, ""))]
    if plain:
        body = re.sub(rf"(?<![\w)\]])\(\s*({'|'.join(map(re.escape, plain))})\s*\)", r"\1", body)
    return re.sub(r"[A-Za-z_]\w*", lambda m: table.get(m.group(), m.group()), body)
