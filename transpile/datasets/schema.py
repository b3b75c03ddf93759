"""Types of the columns of each table: the same from the first row on, whatever rows there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

_TEXTS = pa.list_(pa.string())
_TURNS = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
_NAMED = pa.struct([("name", pa.string()), ("value", pa.string())])
_ARRAY = pa.struct([("name", pa.string()), ("type", pa.string()), ("numbers", _TEXTS)])
_CALL = [
    ("scalars", pa.list_(_NAMED)),
    ("grid", pa.list_(pa.int64())),
    ("block", pa.list_(pa.int64())),
    ("shared", pa.int64()),
    ("template_arguments", pa.string()),
]
_ABOUT = [
    (name, pa.string())
    for name in (
        "id",
        "unit",
        "source_dialect",
        "target_dialect",
        "translator",
        "model",
        "repository",
        "licence",
    )
]
_PAIRS = pa.schema(
    [
        ("schema", pa.int64()),
        ("id", pa.string()),
        ("evidence", pa.string()),
        ("unit", pa.string()),
        ("name", pa.string()),
        ("kind", pa.string()),
        ("agrees", pa.bool_()),
        ("source_dialect", pa.string()),
        ("context", pa.string()),
        ("callees", pa.string()),
        ("source", pa.string()),
        ("target_dialect", pa.string()),
        ("target", pa.string()),
        ("target_headers", _TEXTS),
        ("call", pa.string()),
        ("contracts", pa.list_(pa.struct([("signature", pa.string()), ("toml", pa.string())]))),
        (
            "tests",
            pa.list_(pa.struct([*_CALL, ("inputs", pa.list_(_ARRAY)), ("outputs", pa.list_(_ARRAY))])),
        ),
        (
            "counterexample",
            pa.struct(
                [
                    *_CALL,
                    ("inputs", _TEXTS),
                    ("where", pa.string()),
                    ("expected", pa.string()),
                    ("got", pa.string()),
                    ("others", _TEXTS),
                    ("check", pa.string()),
                ]
            ),
        ),
        ("level", pa.string()),
        ("trials", pa.int64()),
        ("coverage", pa.float64()),
        ("mutation_score", pa.float64()),
        ("checks", _TEXTS),
        ("tolerance", pa.string()),
        ("judged_on", pa.string()),
        ("translator", pa.string()),
        ("rules", _TEXTS),
        ("model", pa.string()),
        ("prompt", pa.string()),
        ("repository", pa.string()),
        ("commit", pa.string()),
        ("path", pa.string()),
        ("line", pa.int64()),
        ("licence", pa.string()),
        ("licence_file", pa.string()),
        ("source_digest", pa.string()),
        ("target_digest", pa.string()),
        ("made_by", pa.string()),
        ("tools", pa.list_(_NAMED)),
    ]
)


def _chat(*columns: tuple[str, pa.DataType]) -> pa.Schema:
    return pa.schema([*columns, *_ABOUT])


SCHEMAS: Mapping[str, pa.Schema] = {
    "pairs": _PAIRS,
    "sft": _chat(("prompt", _TURNS), ("completion", _TURNS)),
    "preferences": _chat(
        ("prompt", _TURNS),
        ("chosen", _TURNS),
        ("rejected", _TURNS),
        ("reason", pa.string()),
        ("rejected_id", pa.string()),
    ),
    "labels": _chat(("prompt", _TURNS), ("completion", _TURNS), ("label", pa.bool_())),
    "repairs": _chat(("prompt", _TURNS), ("completion", _TURNS), ("reason", pa.string())),
    "tests": _chat(("prompt", _TURNS), ("completion", _TURNS)),
}
"""By name of the table."""


def table(name: str, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows as a table of that name's schema.

    Raises:
        ValueError: A row has a column that the schema does not know, or lacks one that it does.
    """
    schema = SCHEMAS[name]
    for row in rows:
        if set(row) != set(schema.names):
            raise ValueError(f"{name}: columns differ from the schema: {set(row) ^ set(schema.names)}")
    return pa.Table.from_pylist([dict(row) for row in rows], schema=schema)
