"""A data set on disk: Parquet and JSON Lines, and a card that says how it was made and how it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
from jinja2 import Environment, StrictUndefined

from transpile import __version__
from transpile.datasets.build import PURPOSES, Report, Tables
from transpile.datasets.schema import SCHEMAS, table
from transpile.datasets.splits import SPLITS
from transpile.files import write_whole

CARD = "README.md"
_TEMPLATE = files("transpile.datasets") / "templates" / "card.md"


def write(
    out: Path, tables: Tables, report: Report, *, near: float, against: Sequence[str], text: bool = True
) -> None:
    """Write a data set; a split without rows has no file, since readers stumble over empty ones.

    Args:
        out: Where to.
        tables: Rows by table and split.
        report: How they were chosen.
        near: The likeness from which on two texts were one.
        against: Names of what was kept out.
        text: Whether to write JSON Lines, too.
    """
    ordered = {
        name: {split: tables[name][split] for split in SPLITS if tables[name].get(split)}
        for name in PURPOSES
        if name in tables
    }
    for name, splits in ordered.items():
        for split, rows in splits.items():
            place = out / name
            place.mkdir(parents=True, exist_ok=True)
            parquet.write_table(table(name, rows), place / f"{split}.parquet", compression="zstd")
            if text:
                ordered_rows = ({column: row[column] for column in SCHEMAS[name].names} for row in rows)
                lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in ordered_rows)
                write_whole(place / f"{split}.jsonl", lines.encode("utf-8", "replace"))
    write_whole(out / "report.json", json.dumps(_plain(report, ordered), indent=1).encode() + b"\n")
    write_whole(out / CARD, _card(ordered, report, near, against).encode())


def _plain(report: Report, tables: Tables) -> Mapping[str, Any]:
    counts = {name: {split: len(rows) for split, rows in splits.items()} for name, splits in tables.items()}
    return {
        "schema": 1,
        "decided": report.decided,
        "rows": report.rows,
        "removed": dict(report.removed),
        "licences": dict(report.licences),
        "repositories": dict(report.repositories),
        "splits": dict(report.splits),
        "tables": counts,
    }


def _card(tables: Tables, report: Report, near: float, against: Sequence[str]) -> str:
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8")).render(
        configs={name: list(splits) for name, splits in tables.items() if splits},
        counts={name: sum(map(len, splits.values())) for name, splits in tables.items()},
        purposes=PURPOSES,
        report=report,
        near=near,
        against=against,
        version=__version__,
    )
