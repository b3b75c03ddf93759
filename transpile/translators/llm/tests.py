"""Requests to a model for tests, and the tests in its answer."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from transpile.core import Contract, Role, Signature, Source, Unit, UnitKind, WrittenTest
from transpile.translators.llm import prompts
from transpile.translators.llm.gaps import Gaps
from transpile.translators.models import Message

MOST = 16
"""Tests of one answer that are read."""
_ELEMENTS = 4096
"""Numbers of one array that are read."""
_LENGTH = 200_000
"""Characters of an answer that are read."""
_SHOWN = 10
"""Branches, faults or useless tests that are named."""
_STANDING = 2


def question(
    source: Source, unit: Unit, contracts: Sequence[Contract], gaps: Gaps, count: int, room: int
) -> tuple[Message, ...]:
    """Return what a model is shown that is asked for so many tests, of so many elements each at most."""
    shown = replace(
        gaps,
        branches=tuple(_line(source, place) for place in gaps.branches[:_SHOWN]),
        faults=gaps.faults[:_SHOWN],
        standing=gaps.standing[:_STANDING],
        declined=gaps.declined[-_SHOWN:],
    )
    form = json.dumps(_form(unit, contracts), ensure_ascii=False)
    return (
        Message(role="system", content=prompts.tester(source, unit, form, room)),
        Message(role="user", content=prompts.tests(source, unit, contracts, shown, count)),
    )


def _line(source: Source, place: str) -> str:
    """Return a place with the text that stands there."""
    path, _, number = place.rpartition(":")
    lines = source.files.get(path, b"").split(b"\n")
    text = lines[int(number) - 1].strip().decode("utf-8", "replace") if 0 < int(number) <= len(lines) else ""
    return f"line {number}: `{text}`" if text else f"line {number}"


def _form(unit: Unit, contracts: Sequence[Contract]) -> dict[str, Any]:
    """Return an example of an answer, with the unit's own names."""
    scalars, arrays = _names(contracts)
    test: dict[str, Any] = {
        "why": "…",
        "scalars": {name: 3 for name in scalars},
        "arrays": {name: [1, 0, -2] for name in arrays},
    }
    if unit.kind is UnitKind.KERNEL:
        test |= {"grid": [1, 1, 1], "block": [32, 1, 1]}
    return {"tests": [test]}


def schema(unit: Unit, contracts: Sequence[Contract], count: int) -> str:
    """Return the JSON schema of an answer with at most so many tests."""
    scalars, arrays = _names(contracts)
    numbers = {"type": "array", "items": {"type": "number"}, "maxItems": 16}
    axes = {"type": "array", "items": {"type": "integer"}, "minItems": 3, "maxItems": 3}
    parts: dict[str, Any] = {
        "why": {"type": "string", "maxLength": 120},
        "scalars": _object({name: {"type": "number"} for name in scalars}),
        "arrays": _object({name: numbers for name in arrays}),
    }
    if unit.kind is UnitKind.KERNEL:
        parts |= {"grid": axes, "block": axes}
    tests = {
        "type": "array",
        "items": {**_object(parts), "required": ["scalars", "arrays"]},
        "minItems": 1,
        "maxItems": count,
    }
    return json.dumps({**_object({"tests": tests}), "required": ["tests"]})


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False}


def _names(contracts: Sequence[Contract]) -> tuple[list[str], list[str]]:
    """Return the names of what is passed by value, and of the arrays that are read."""
    signature = contracts[0].signature
    arrays = [fact.name for fact in contracts[0].arrays if fact.role in (Role.IN, Role.INOUT)]
    return list(_numbers(signature)), arrays


def _numbers(signature: Signature) -> Iterator[str]:
    for parameter in signature.parameters:
        if not parameter.pointer and parameter.element is not None:
            for leaf in parameter.element.leaves:
                yield parameter.part(leaf)


def written_in(answer: str) -> list[WrittenTest]:
    """Return the tests in an answer, whatever stands around them; of one that is cut off, the whole ones."""
    found: dict[WrittenTest, None] = {}
    for item in _objects(answer[:_LENGTH]):
        for one in item["tests"] if isinstance(item.get("tests"), list) else [item]:
            test = _test(one)
            if test is not None and len(found) < MOST:
                found[test] = None
    return list(found)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost JSON objects of a text that are complete."""
    decoder = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            found, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield found
        place = text.find("{", end)


def _test(data: object) -> WrittenTest | None:
    """Return what an object says of an input; None where that is nothing."""
    if not isinstance(data, dict):
        return None
    scalars = {
        name: value for name, given in _items(data.get("scalars")) if (value := _number(given)) is not None
    }
    arrays = {
        name: values
        for name, given in _items(data.get("arrays"))
        if isinstance(given, list) and (values := _elements(given))
    }
    if not scalars and not arrays:
        return None
    return WrittenTest(
        scalars=tuple(scalars.items()),
        arrays=tuple(arrays.items()),
        grid=_axes(data.get("grid")),
        block=_axes(data.get("block")),
    )


def _items(data: object) -> list[tuple[str, object]]:
    return list(data.items()) if isinstance(data, dict) else []


def _number(value: object) -> int | float | None:
    """Return a number that is one; words, truths, NaN and infinities are none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return value if value.bit_length() < 1024 else None
    return value if math.isfinite(value) else None


def _elements(given: Sequence[object]) -> tuple[int | float, ...]:
    """Return the elements of an array; nothing where one of them is no number."""
    numbers = [_number(item) for item in given[:_ELEMENTS]]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else ()


def _axes(given: object) -> tuple[int, int, int] | None:
    if not isinstance(given, list) or not 1 <= len(given) <= 3:
        return None
    whole = [item for item in given if isinstance(item, int) and not isinstance(item, bool)]
    if len(whole) != len(given) or not all(0 < item < 2**31 for item in whole):
        return None
    x, y, z = (*whole, 1, 1)[:3]
    return x, y, z
