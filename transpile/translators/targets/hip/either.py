"""One text for CUDA and for HIP: CUDA's names stay, and what means something else in HIP is said otherwise.

Operations of a warp go through ``warp32.h``, which is CUDA's own where CUDA compiles it. Names and headers go
through those of ``compatibility.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from transpile.code.edits import Change, Edit
from transpile.code.lexer import Kind, tokenize
from transpile.translators.targets.hip import architecture, compatibility, runtime, tiles, warps
from transpile.translators.targets.hip.calls import Call, calls

_MASKED = {
    **{name + b"_sync": name.removeprefix(b"__") for name in (*warps.SHUFFLES, *warps.VOTES)},
    **warps.MASKED,
    **warps.ALONE,
}
_UNMASKED = {name: name.removeprefix(b"__") for name in (*warps.SHUFFLES, *warps.VOTES)}
"""Warp functions of CUDA before masks: all active lanes take part."""
_ACTIVE = warps.SPACE + warps.ALONE[b"__activemask"] + b"(), "
_ARGUMENTS = {name: (2, 3) for name in warps.SHUFFLES} | {name: (1,) for name in warps.VOTES}

_COMPILERS = {b"__CUDA_ARCH__": architecture.PASS, b"__CUDACC__": b"__HIPCC__"}
"""HIP's macro that is there where CUDA's would be."""
_VALUES = {b"__CUDA_ARCH__": architecture.LIKE, b"__CUDACC__": b"__HIPCC__"}
_CONDITION = re.compile(
    rb"(?P<line>(?<=#)[ \t]*if(?P<no>n?)def[ \t]+(?P<asked>%(names)s)\b)"
    rb"|\bdefined\s*(?:\(\s*(?P<inside>%(names)s)\s*\)|(?P<bare>%(names)s)\b)|\b(?P<value>%(names)s)\b"
    % {b"names": b"|".join(_COMPILERS)}
)


def changes(data: bytes) -> Iterator[Change]:
    """Yield what makes a text of CUDA mean the same to both."""
    yield from _warps(data)
    yield from warps.widths(data)
    yield from runtime.kernels(data)
    yield from _conditions(data)
    yield from _bounds(data)
    yield from tiles.changes(data)


def _warps(data: bytes) -> Iterator[Change]:
    for call in calls(data, frozenset(_MASKED)):
        if _is_taken(call, call.name.text.removesuffix(b"_sync"), 1):
            yield (Edit(call.name.start, call.name.end, warps.SPACE + _MASKED[call.name.text]),)
    for call in calls(data, frozenset(_UNMASKED)):
        if _is_taken(call, call.name.text, 0):
            start = call.spans[0][0]
            name = Edit(call.name.start, call.name.end, warps.SPACE + _UNMASKED[call.name.text])
            yield name, Edit(start, start, _ACTIVE)


def _is_taken(call: Call, name: bytes, masks: int) -> bool:
    """Tell whether a call has as many arguments as CUDA's function of that name."""
    return name not in _ARGUMENTS or len(call.arguments) - masks in _ARGUMENTS[name]


def _conditions(data: bytes) -> Iterator[Change]:
    """Yield conditions on the compiler as both have them; one that names HIP's has them both."""
    for token in tokenize(data).text:
        if token.kind is Kind.DIRECTIVE and b"__HIP" not in token.text:
            for found in _CONDITION.finditer(token.text):
                start, end = token.start + found.start(), token.start + found.end()
                yield (Edit(start, end, _condition(found)),)


def _condition(found: re.Match[bytes]) -> bytes:
    name = found["asked"] or found["inside"] or found["bare"] or found["value"]
    if found["value"]:
        return b"(%s + %s)" % (name, _VALUES[name])
    known = b"defined(%s) || defined(%s)" % (name, _COMPILERS[name])
    if not found["asked"]:
        return b"(%s)" % known
    return b"if !(%s)" % known if found["no"] else b"if " + known


def _bounds(data: bytes) -> Iterator[Change]:
    for call in calls(data, architecture.BOUNDS):
        # The second counts blocks of a multiprocessor in CUDA, warps of a part of one in HIP: 1 asks nothing.
        if len(call.arguments) > 1 and call.arguments[1][0].text != compatibility.CHOICE:
            start, end = call.spans[1][0], call.spans[-1][1]
            bounds = b"%s(1, %s)" % (compatibility.CHOICE, data[start:end])
            yield (Edit(start, end, bounds),)
