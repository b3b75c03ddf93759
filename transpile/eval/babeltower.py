"""BabelTower's items with MuSL's unit tests: calls of a function, and what they print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from transpile.core import CUDA, OPENMP, Candidate, Dialect, Signature
from transpile.eval import programs
from transpile.eval.babeltower_launch import leaves_launch_out, with_launch
from transpile.eval.items import Item, Suite, Written
from transpile.toolchains.workshop import Workshop

NOTE = "Public since 2022 (tests 2025): models trained later may have seen it."
_PREAMBLE = "".join(
    f"#include <{name}.h>\n" for name in ("math", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string")
)
"""What texts in C name without including it."""


def recognises(row: Mapping[str, Any]) -> bool:
    """Tell whether a row of a file is of this kind."""
    return {"c_entry", "cuda_entry", "tests"} <= row.keys()


def suite(name: str, rows: list[Mapping[str, Any]]) -> Suite:
    """Return the items of a file."""
    to_cuda = bool(rows) and rows[0]["target_lang"] == "cuda"
    return Suite(
        name=name,
        items=tuple(_items(rows, to_cuda)),
        target=CUDA if to_cuda else OPENMP,
        note=NOTE,
    )


def _items(rows: list[Mapping[str, Any]], to_cuda: bool) -> Iterator[Item]:
    for row in rows:
        # Calls of the C function, which a port to CUDA keeps callable as it was.
        calls = [
            _Call(call=one["call"], stdout=one["stdout"])
            for one in row["source_tests" if to_cuda else "tests"]
            if one.get("robust") and "wrapper" in one["call"]
        ]
        yield Item(
            id=row["id"],
            text=(_PREAMBLE if to_cuda else "") + row["source"] + "\n",
            suffix=".c" if to_cuda else ".cu",
            unit=row["c_entry"] if to_cuda else "",
            reference=row["reference"],
            test=_Test(calls=tuple(calls), entry=row["c_entry"], wrapper=row["cuda_wrapper"])
            if calls
            else None,
            untested="" if calls else "none of its tests is robust",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    call: str
    stdout: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    """All calls of an item."""

    calls: tuple[_Call, ...]
    entry: str
    wrapper: str

    def __call__(self, workshop: Workshop, written: Written) -> bool:
        candidate, signature = written.candidate, written.signature
        for one in self.calls:
            text, name = called(written.text, candidate, signature, one.call, self.wrapper)
            printed = run_call(workshop, text, self.entry, name, one.call, dialect=candidate.dialect)
            if fold(printed.text) != fold(one.stdout):
                return False
        return True


def called(text: str, candidate: Candidate, signature: Signature, call: str, wrapper: str) -> tuple[str, str]:
    """Return a text and what a call calls in it: something that launches, where the call leaves that out."""
    if leaves_launch_out(call, candidate, signature):
        return with_launch(text, candidate, signature, wrapper)
    return text, candidate.binding.name


def run_call(
    workshop: Workshop, text: str, entry: str, name: str, call: str, *, dialect: Dialect = OPENMP
) -> programs.Printed:
    """Return what a call of ``entry`` prints where the function ``name`` of the text stands in for it."""
    body = re.sub(rf"wrapper\(\s*{re.escape(entry)}\b", f"wrapper({name}", call)
    program = f"{_driver()}\n{text}\nint main() {{\n{body}\nreturn 0;\n}}\n"
    return programs.run(workshop, program, dialect)


def fold(text: str) -> list[str]:
    """Return the lines with white space folded."""
    return [" ".join(line.split()) for line in text.strip().splitlines()]


@cache
def _driver() -> str:
    return Path(__file__).with_name("babeltower_driver.h").read_text(encoding="utf-8")
