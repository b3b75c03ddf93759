"""HPCTransEval's operators: a translation and the suite's own reference fill the same arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any

from transpile.core import OPENMP
from transpile.eval import programs
from transpile.eval.items import Item, Suite, Written
from transpile.toolchains.workshop import Workshop

RELATIVE, ABSOLUTE = 1e-5, 1e-6
_SECONDS = 60.0
_MEMORY = 4 << 30


def recognises(row: Mapping[str, Any]) -> bool:
    """Tell whether a row of a file is of this kind."""
    return {"harness_prefix", "harness_main", "entry_point"} <= row.keys()


def suite(name: str, rows: list[Mapping[str, Any]]) -> Suite:
    """Return the items of a file."""
    items = (
        Item(
            id=row["id"],
            text=row["source"] + "\n",
            suffix=".cu",
            reference=row["reference"],
            test=_Test(
                prefix=row["harness_prefix"],
                main=row["harness_main"],
                reference=row["reference"],
                seeds=tuple(str(one["args"][0]) for one in row["tests"]),
            ),
        )
        for row in rows
    )
    return Suite(name=name, items=tuple(items), target=OPENMP)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Test:
    prefix: str
    main: str
    reference: str
    seeds: tuple[str, ...]

    def __call__(self, workshop: Workshop, written: Written) -> bool | None:
        if written.takes_launch:
            return None
        for seed in self.seeds:
            expected = self._printed(workshop, self.reference, seed, written)
            if not expected.ended:
                return None
            found = self._printed(workshop, written.text, seed, written)
            if not found.ended or not _alike(expected.text.split(), found.text.split()):
                return False
        return True

    def _printed(self, workshop: Workshop, text: str, seed: str, written: Written) -> programs.Printed:
        program = f"{self.prefix}\n{text}\n{self.main}\n"
        return programs.run(
            workshop,
            program,
            written.candidate.dialect,
            arguments=(seed,),
            seconds=_SECONDS,
            memory=_MEMORY,
        )


def _alike(expected: list[str], found: list[str]) -> bool:
    if len(expected) != len(found):
        return False
    try:
        return all(
            one == other or isclose(float(one), float(other), rel_tol=RELATIVE, abs_tol=ABSOLUTE)
            for one, other in zip(expected, found, strict=True)
        )
    except ValueError:
        return False
