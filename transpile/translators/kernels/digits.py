"""Digits of a thread's number in kernels with one launch: a loop can count each of them.

The index ``i`` of a thread among all is ``blockIdx.x * threads + threadIdx.x``. Quotients and remainders of
both are ``(i / stride) % modulus``. Where the strides divide one another, a loop for each of them gives all.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tree_sitter import Node

from transpile.code.polynomial import read
from transpile.code.syntax import operator, source, unparenthesized
from transpile.translators.kernels.coordinates import sides

BLOCK, THREAD = "blockIdx.x", "threadIdx.x"


@dataclass(frozen=True, slots=True)
class Digits:
    """``(i / stride) % modulus``, all of ``i / stride`` where the modulus is 0, times a factor."""

    stride: int = 1
    modulus: int = 0
    factor: int = 1

    @property
    def end(self) -> int:
        """Return the stride of the first digit that has no part in it; 0 where all have."""
        return self.stride * self.modulus

    def quotient(self, divisor: int) -> Digits | None:
        """Return what it is divided by a number; None where that is no such thing."""
        if self.factor != 1 or self.modulus % divisor:
            return None
        return Digits(self.stride * divisor, self.modulus // divisor)

    def remainder(self, modulus: int) -> Digits | None:
        """Return what it is modulo a number; None where that is no such thing."""
        if self.factor != 1 or self.modulus % modulus:
            return None
        return Digits(self.stride, modulus)

    def above(self, lower: Digits) -> Digits | None:
        """Return the sum with lower digits; None where that leaves a gap, or some count twice."""
        if not lower.modulus or self.stride != lower.end or self.factor != lower.modulus * lower.factor:
            return None
        return Digits(lower.stride, self.modulus * lower.modulus, lower.factor)


@dataclass(frozen=True, slots=True)
class Launch:
    """The blocks and threads of the only launch."""

    blocks: int
    threads: int

    @property
    def total(self) -> int:
        """Return the number of all threads."""
        return self.blocks * self.threads

    def digits(self, node: Node) -> Digits | None:
        """Return an expression of the launch as digits of a thread's number; None where it is none."""
        node = unparenthesized(node)
        found = self._sum(node, 0)
        if found is not None or node.type != "binary_expression":
            return found
        left, right = sides(node)
        if operator(node) == "+":
            higher, lower = self.digits(left), self.digits(right)
            return None if higher is None or lower is None else higher.above(lower) or lower.above(higher)
        text = source(unparenthesized(right))
        if not text.isdigit():
            return None
        number = int(text)
        match operator(node):
            case "*" if number:
                inner = self.digits(left)
                return inner and replace(inner, factor=inner.factor * number)
            case ">>" if number < 31:
                return _divided(self.digits(left), 1 << number)
            case "/" if number:
                return _divided(self.digits(left), number)
            case "%" if number:
                return self._reduced(left, number)
            case "&" if number & (number + 1) == 0:
                return self._reduced(left, number + 1)
            case _:
                return None

    def _reduced(self, node: Node, modulus: int) -> Digits | None:
        found = self.digits(node)
        if found is not None:
            return found.remainder(modulus)
        # Blocks may count on from anywhere that is the same modulo the number.
        return self._sum(unparenthesized(node), modulus)

    def _sum(self, node: Node, modulus: int) -> Digits | None:
        """Return ``blockIdx.x * a + threadIdx.x * b``, or with ``threadIdx.x >> c``, as digits.

        Args:
            node: The expression.
            modulus: What it is taken modulo; 0 where it is not.
        """
        value = read(node, lambda _: None)
        if value is not None:
            if set(value) - {(BLOCK,), (THREAD,)} or not value or min(value.values()) < 1:
                return None
            blocks, factor = value.get((BLOCK,), 0), value.get((THREAD,), 0)
            if not factor:
                return Digits(self.threads, modulus, blocks)
            if factor > 1 and modulus:
                return None
            if self._follows(blocks, factor * self.threads, modulus):
                return Digits(1, modulus, factor)
            return Digits(1, self.threads, factor) if not blocks and not modulus else None
        if node.type != "binary_expression" or operator(node) != "+":
            return None
        left, right = sides(node)
        value, inner = read(left, lambda _: None), self.digits(right)
        if value is None or set(value) != {(BLOCK,)} or inner is None or inner.factor != 1:
            return None
        step = self.threads // inner.stride
        if inner.end != self.threads or not self._follows(value[(BLOCK,)], step, modulus):
            return None
        return Digits(inner.stride, modulus)

    def _follows(self, blocks: int, step: int, modulus: int) -> bool:
        """Tell whether each block counts on where the one before ended."""
        if self.blocks == 1:
            return True
        return blocks == step or (modulus > 0 and (blocks - step) % modulus == 0)


def _divided(found: Digits | None, divisor: int) -> Digits | None:
    return None if found is None else found.quotient(divisor)


def strides(found: Collection[Digits], end: int) -> tuple[int, ...] | None:
    """Return the strides of loops that give all digits, outermost first; None where there are none.

    Args:
        found: The digits.
        end: How many threads there are.
    """
    wanted = {1, *(item.stride for item in found), *(item.end for item in found)}
    ordered = sorted(stride for stride in wanted if 0 < stride < end)
    if any(above % below for below, above in zip(ordered, [*ordered[1:], end], strict=True)):
        return None
    return tuple(reversed(ordered))


def written(item: Digits, counters: Sequence[tuple[str, int]]) -> str:
    """Return digits in terms of loops, given by the variable and the stride of each."""
    terms: list[str] = []
    for name, stride in counters:
        if stride >= item.stride and (not item.modulus or stride < item.end):
            factor = stride // item.stride * item.factor
            terms.append(name if factor == 1 else f"{name} * {factor}")
    if not terms:
        return "0"
    return terms[0] if len(terms) == 1 and " " not in terms[0] else f"({' + '.join(terms)})"
