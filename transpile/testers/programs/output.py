"""Compare what two programs print, token by token.

Numbers agree within what the arithmetic of a port may change; words agree exactly. Left aside is what no
two runs share: tokens that differ between runs of the *source* itself, and measurements, which are numbers
next to a unit of time or rate (``3.1 ms``, ``time (us): 7``) or after a word for one in their line, with the
shares that they are of others (``3.1 ms (52 %)``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

RELATIVE = 1e-3
"""Of numbers with a fraction: reductions add in another order in a port."""
_FLIPS = 0.02
"""Share of numbers that may be apart by more than that in their last digit; one of them always may."""

_TOKEN = re.compile(
    r"(?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?:(?!\w)|(?=[xX](?!\w)))|[-+]?(?:nan|inf)\b)"
    r"|(?P<word>[^\W\d]\w*|\d\w+)|(?P<mark>[^\s\w])"
)
_UNIT = re.compile(
    r"(?:n|u|µ|m)?s(?:ec(?:onds?)?)?|(?:nano|micro|milli)?seconds?|min(?:utes)?|[kKMGT]?i?[Bb](?:ytes)?ps|[kKMGT]?i?B(?:ytes?)?"
    r"|[KMGT]?(?:FLOPS?|flops?|Flops?|FLOP|OPS|ops|IOPS|EPS)|[kMG]?Hz|fps|cycles?"
)
_MEASURE = re.compile(
    r"(?:time|timing|elapsed|duration|took|takes|latency|bandwidth|throughput|performance|speed\w*|gflops?|tflops?|gbps|rate"
    r"|timer|seconds|msec|usec|runtime|device|gap)",
    re.IGNORECASE,
)
_FACTOR = frozenset(("x", "X", "times"))
_QUICKER = re.compile(r"faster|slower|quicker|speed\w*", re.IGNORECASE)
"""Words that make a factor one of times: ``12.5x faster``."""
_WHOLE = re.compile(r"[-+]?\d+")
_RATE = frozenset(("s", "sec", "second", "S"))


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark of an output, with the line it stands in."""

    text: str
    line: int
    number: bool
    measured: bool


def tokens(output: bytes, first: int = 1) -> list[Token]:
    """Cut an output into tokens, whose lines are counted from ``first``."""
    found: list[Token] = []
    for number, line in enumerate(output.decode("utf-8", "replace").splitlines(), first):
        found += _line_tokens(line, number)
    return found


def _line_tokens(line: str, number: int) -> Iterator[Token]:
    parts = list(_TOKEN.finditer(line))
    measuring = counted = measured = False
    for index, part in enumerate(parts):
        text = part.group()
        if part.lastgroup == "number":
            measured = measuring or _unit_follows(parts, index) or (measured and _is_share(parts, index))
            yield Token(text, number, True, measured)
            counted = True
            continue
        if part.lastgroup == "word" and _MEASURE.fullmatch(text) is not None:
            measuring, counted = True, False
        elif text in (",", ";", "|") and counted:
            measuring = measured = False  # a list goes on to something else
        yield Token(text, number, False, False)


def _unit_follows(parts: Sequence[re.Match[str]], index: int) -> bool:
    rest = [part.group() for part in parts[index + 1 : index + 3]]
    after = next((text for text in rest if text not in "([ "), "")
    per_time = len(rest) == 2 and rest[0] == "/" and rest[1] in _RATE
    ratio = len(rest) == 2 and rest[0] in _FACTOR and _QUICKER.fullmatch(rest[1]) is not None
    return per_time or ratio or _UNIT.fullmatch(after) is not None


def _is_share(parts: Sequence[re.Match[str]], index: int) -> bool:
    return [part.group() for part in parts[index + 1 : index + 2]] == ["%"]


def difference(
    expected: Sequence[bytes], got: bytes, name: str = "stdout", line: int = 1
) -> tuple[str, str, str] | None:
    """Return where a port's output parts from its source's, and both texts there; None where they agree.

    ``expected`` holds the output of several runs of the source. What differs among them is not compared.
    ``name`` is what the output is written to, ``line`` the number of its first line.
    """
    runs = [tokens(output, line) for output in expected]
    first, ported = runs[0], tokens(got, line)
    steady = [run for run in runs[1:] if len(run) == len(first)]
    numbers, flips = 0, list[tuple[str, str, str]]()
    for index, (token, other) in enumerate(zip(first, ported, strict=False)):
        if token.measured or any(run[index].text != token.text for run in steady):
            continue
        numbers += token.number
        if _alike(token, other):
            continue
        found = f"{name}, line {token.line}", token.text, other.text
        if not _flipped(token, other):
            return found
        flips.append(found)
    if len(first) != len(ported):
        longer = first if len(first) > len(ported) else ported
        extra = longer[min(len(first), len(ported))]
        texts = (extra.text, "(end)") if longer is first else ("(end)", extra.text)
        return f"{name}, line {extra.line}", *texts
    return flips[0] if len(flips) > max(1, _FLIPS * numbers) else None


def reordered(expected: Sequence[bytes]) -> bool:
    """Tell whether runs of the source print the same lines, but not in one order: threads print them."""
    return len(set(expected)) > 1 and len({_sorted(output) for output in expected}) == 1


def unordered_difference(expected: Sequence[bytes], got: bytes) -> tuple[str, str, str] | None:
    """Return where a port's lines part from its source's once both are sorted; None where they agree."""
    found = difference([_sorted(expected[0])], _sorted(got))
    return found and (f"{found[0]} of the sorted lines", *found[1:])


def _sorted(output: bytes) -> bytes:
    return b"\n".join(sorted(output.splitlines()))


def comparable(expected: Sequence[bytes]) -> bool:
    """Tell whether runs of the source print the same number of tokens."""
    return len({len(tokens(output)) for output in expected}) == 1


def _alike(one: Token, other: Token) -> bool:
    if one.text == other.text:
        return True
    values = _values(one, other)
    if values is None:
        return False
    left, right = values
    if _WHOLE.fullmatch(one.text) and _WHOLE.fullmatch(other.text):
        return int(one.text) == int(other.text)
    if not (math.isfinite(left) and math.isfinite(right)):
        return math.isnan(left) and math.isnan(right)
    return abs(left - right) <= RELATIVE * max(abs(left), abs(right))


def _flipped(one: Token, other: Token) -> bool:
    """Tell whether numbers are apart by their last digit, as where a value is rounded the other way."""
    values = _values(one, other)
    if values is None:
        return False
    quantum = max(_quantum(one.text), _quantum(other.text))
    return quantum > 0 and abs(values[0] - values[1]) <= 1.5 * quantum


def _values(one: Token, other: Token) -> tuple[float, float] | None:
    """Return the values of two decimal numbers; None where they are no such."""
    if not (one.number and other.number) or "x" in one.text.lower() or "x" in other.text.lower():
        return None
    return float(one.text), float(other.text)


def _quantum(text: str) -> float:
    """Return what the last printed digit of a number is worth, 0 for an integer."""
    mantissa, _, exponent = text.lower().partition("e")
    if "." not in mantissa and not exponent:
        return 0.0
    digits = len(mantissa.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - digits)
