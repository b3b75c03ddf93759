"""Warps of 32 lanes on devices whose warps have 64: what CUDA's programs take for granted stays as it is.

Each half of a wide warp is a warp of its own. A shuffle is given its width, a vote the half in which it is
held, and ``warpSize`` is 32. So lane numbers, masks, array lengths and loops over halves of a warp mean on
either kind of device what they meant before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from transpile.code.edits import Change, Edit
from transpile.code.lexer import CLOSE, Kind, Token, angle_closing, opening, split, tokenize
from transpile.translators.targets.hip.calls import Call, calls

SHUFFLES = frozenset((b"__shfl", b"__shfl_up", b"__shfl_down", b"__shfl_xor"))
VOTES: Mapping[bytes, bytes] = {b"__ballot": b"ballot", b"__any": b"any", b"__all": b"all"}
MASKED: Mapping[bytes, bytes] = {
    b"__match_any_sync": b"match_any",
    b"__match_all_sync": b"match_all",
    **{
        b"__reduce_%s_sync" % name: b"reduce_%s" % name
        for name in (b"add", b"min", b"max", b"and", b"or", b"xor")
    },
}
ALONE: Mapping[bytes, bytes] = {b"__activemask": b"active", b"__syncwarp": b"sync"}
SPACE = b"warp32::"
"""Where our helpers are."""
_FULL = re.compile(rb"0[xX][fF]{8}[uUlL]*|4294967295[uUlL]*|~0[uUlL]*|-1|\(unsigned\)-1|UINT_MAX")
"""Masks of all lanes, as they are written."""
_WIDTH = b", 32"
_COLLECTIVES = frozenset((b"WarpReduce", b"WarpScan"))
"""Templates of cub, of a type and a width."""
_SIZE = b"warpSize"


def changes(data: bytes) -> Iterator[Change]:
    """Yield what makes operations of a warp those of 32 lanes."""
    for call in calls(data, frozenset((*SHUFFLES, *(name + b"_sync" for name in SHUFFLES)))):
        yield from _shuffle(call)
    for call in calls(data, frozenset((*VOTES, *(name + b"_sync" for name in VOTES)))):
        yield from _vote(call)
    for names in (MASKED, ALONE):
        for call in calls(data, frozenset(names)):
            yield (Edit(call.name.start, call.name.end, SPACE + names[call.name.text]),)
    yield from widths(data)


def widths(data: bytes) -> Iterator[Change]:
    """Yield 32 lanes where a text leaves to the device how many a warp has."""
    yield from _sizes(data)
    yield from _collectives(data)


def _shuffle(call: Call) -> Iterator[Change]:
    masked = call.name.text.endswith(b"_sync")
    given = len(call.arguments) - masked
    if given not in (2, 3):
        return
    parts = [Edit(call.name.start, call.name.end, call.name.text.removesuffix(b"_sync"))]
    if masked:
        parts.append(_without_mask(call))
    if given == 2:
        parts.append(Edit(call.end, call.end, _WIDTH))
    yield tuple(parts)


def _vote(call: Call) -> Iterator[Change]:
    masked = call.name.text.endswith(b"_sync")
    name = VOTES[call.name.text.removesuffix(b"_sync")]
    if len(call.arguments) != 1 + masked:
        return
    full = masked and _FULL.fullmatch(b"".join(token.text for token in call.arguments[0])) is not None
    if full:
        yield Edit(call.name.start, call.name.end, SPACE + name), _without_mask(call)
    else:
        yield (Edit(call.name.start, call.name.end, SPACE + name),)


def _without_mask(call: Call) -> Edit[bytes]:
    """Return the edit that drops the first argument."""
    return Edit(call.spans[0][0], call.spans[1][0], b"")


def _sizes(data: bytes) -> Iterator[Change]:
    """Yield 32 for each size of a warp: the device's own, and what the runtime says of it."""
    tokens = tokenize(data)
    found = [
        (stream, index)
        for stream in tokens.streams
        for index, token in enumerate(stream)
        if token.kind is Kind.WORD and token.text == _SIZE
    ]
    if any(macro.name == _SIZE for macro in tokens.macros) or any(_declared(*place) for place in found):
        return
    for stream, index in found:
        first = _object(stream, index)
        if first is not None:
            yield (Edit(stream[first].start, stream[index].end, b"32"),)


def _collectives(data: bytes) -> Iterator[Change]:
    """Yield the width of what cub does for a warp, where it is left to the device."""
    for stream in tokenize(data).streams:
        for index, token in enumerate(stream[:-1]):
            if token.text in _COLLECTIVES and stream[index + 1].text == b"<":
                close = angle_closing(stream, index + 1)
                if close is not None and len(split(stream[index + 2 : close])) == 1:
                    yield (Edit(stream[close].start, stream[close].start, _WIDTH),)


def _declared(stream: Sequence[Token], index: int) -> bool:
    """Tell whether a name is the program's own: a variable or a parameter that is called so."""
    after = stream[index + 1].text if index + 1 < len(stream) else b""
    typed = index > 0 and stream[index - 1].kind is Kind.WORD and stream[index - 1].text != b"return"
    return typed and after in (b"=", b",", b")", b";", b"{")


def _object(stream: Sequence[Token], index: int) -> int | None:
    """Return where the expression begins whose member a word is: itself where it is none's."""
    while index >= 2 and stream[index - 1].text in (b".", b"->"):
        at: int | None = index - 2
        while at is not None and stream[at].text in CLOSE:
            at = opening(stream, at)
            if at and (stream[at - 1].kind is Kind.WORD or stream[at - 1].text in CLOSE):
                at -= 1
        if at is None:
            return None
        index = at
    return index
