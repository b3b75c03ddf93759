"""An ``asm`` statement in, CUDA's C++ out: by a row of the table or a form for each of its instructions."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.code.lexer import Token
from transpile.parsers.ptx.forms import FORMS, carried, halves
from transpile.parsers.ptx.instructions import Instruction
from transpile.parsers.ptx.registers import NAMES, bits
from transpile.parsers.ptx.statement import Untranslatable
from transpile.parsers.ptx.table import ROWS, Row
from transpile.parsers.ptx.translation import Draft, begun, finished


def translate(
    tokens: Sequence[Token], *, kernel: bool = False, parameters: frozenset[bytes] = frozenset()
) -> list[str]:
    """Return the statements that do what an ``asm`` statement does, the last without its semicolon.

    Args:
        tokens: From ``asm`` to the closing bracket.
        kernel: It stands in a kernel's own body.
        parameters: Those of the macro in whose body it stands.

    Raises:
        Untranslatable: It holds what the table does not.
    """
    draft, instructions = begun(tokens, kernel=kernel, parameters=parameters)
    for index, item in enumerate(instructions):
        draft.rest = instructions[index + 1 :]
        try:
            _step(draft, item)
        except Untranslatable as refused:
            said = str(refused)
            raise Untranslatable(said if item.text in said else f"{item.text}: {said}") from None
    return finished(draft)


def _step(draft: Draft, item: Instruction) -> None:
    form = FORMS.get(item.opcode[0])
    if form is not None:
        form(draft, item)
    elif "cc" in item.opcode:
        carried(draft, item)
    elif item.opcode[0] == "mov" and any(name.startswith("{") for name in item.operands):
        halves(draft, item)
    else:
        _by_row(draft, item, *_row(item))


def _row(item: Instruction) -> tuple[Row, str]:
    """Return the row of an instruction, and its type."""
    parts = item.opcode
    if "approx" in parts:
        # The smallest numbers may become 0, as the rest of the result is not exact either.
        parts = tuple(part for part in parts if part != "ftz")
    *words, last = parts
    typed = ROWS.get((".".join(words), last))
    row = typed or ROWS.get((".".join(parts), ""))
    if row is None:
        raise Untranslatable(item.text)
    return row, last if typed else ""


def _by_row(draft: Draft, item: Instruction, row: Row, kind: str) -> None:
    result, *kinds = row.kinds.split()
    names = item.operands if result == "-" else item.operands[1:]
    if len(item.operands) != len(kinds) + (result != "-"):
        raise Untranslatable(item.text)
    values = [_value(draft, name, letter, kind, item) for name, letter in zip(names, kinds, strict=True)]
    wide = {name: NAMES[_kind(letter, kind)] for name, letter in _WIDE.items()} if _has_wide(row) else {}
    text = row.text.format(*values, **wide)
    if result == "-":
        draft.do(text, item.guard)
    else:
        draft.assign(item.operands[0], text, _kind(result, kind), item.guard)


_WIDE = {"wide": "U", "signed_wide": "S"}


def _has_wide(row: Row) -> bool:
    return "wide}" in row.text


def _value(draft: Draft, name: str, letter: str, kind: str, item: Instruction) -> str:
    if letter == "0":
        if draft.number(name) != 0:
            raise Untranslatable(item.text)
        return ""
    return draft.value(name, _kind(letter, kind))


def _kind(letter: str, kind: str) -> str:
    """Return the type that a letter of a row means for an instruction of a type."""
    width = bits(kind) if kind else 32
    return {
        "t": kind,
        "u": f"u{width}",
        "s": f"s{width}",
        "U": f"u{2 * width}",
        "S": f"s{2 * width}",
        "i": "u32",
        "p": "pred",
    }[letter]
