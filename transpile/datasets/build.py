"""A data set from evidence: cleaned, split by likeness, and in all the tables that trainers read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from transpile.datasets import chat
from transpile.datasets.contamination import KeptBack
from transpile.datasets.likeness import fingerprint, groups, jaccard, shingles, tokens
from transpile.datasets.pairs import Decided, Row
from transpile.datasets.secret_scan import SecretScan
from transpile.datasets.splits import Shares, splits_of

PURPOSES = {
    "pairs": "every pair with all that is known of it; `agrees` tells right from wrong ones",
    "sft": "questions with right answers (TRL's `SFTTrainer`)",
    "preferences": "right answers over wrong ones (`DPOTrainer`)",
    "labels": "answers with whether they are right (`KTOTrainer`)",
    "repairs": "dialogues in which a wrong answer is put right (`SFTTrainer`)",
    "tests": "questions for tests with those that were worth something (`SFTTrainer`)",
}
"""By name of the table."""
_LEVELS = ("hardened", "tested", "built", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaning:
    """Reasons to leave rows out."""

    near: float = 0.85
    """Likeness from which on two texts are one."""
    kept_back: KeptBack | None = None
    scan: SecretScan | None = None


@dataclass(slots=True, kw_only=True)
class Report:
    """The data set, and all that was left out of it."""

    decided: int = 0
    rows: int = 0
    removed: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    repositories: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)


Tables = dict[str, dict[str, list[Row]]]
"""Rows by table and split."""


def build(found: Iterable[Decided], cleaning: Cleaning, shares: Shares) -> tuple[Tables, Report]:
    """Return the tables of a data set, and what was left out of it."""
    report = Report()
    kept = _distinct(_clean(found, cleaning, report), report)
    sources = [_source(item) for item in kept]
    alike = groups(sources, cleaning.near)
    chosen = _apart(kept, alike, cleaning.near, report)
    splits = dict(zip((item.row["id"] for item in kept), splits_of(sources, alike, shares), strict=True))
    tables: Tables = {}
    for name, item, row in _rows(chosen):
        tables.setdefault(name, {}).setdefault(splits[item.row["id"]], []).append(row)
    for item in chosen:
        report.rows += 1
        report.licences[item.row["licence"]] += 1
        report.repositories[item.row["repository"]] += 1
        report.splits[splits[item.row["id"]]] += 1
    return tables, report


def _clean(found: Iterable[Decided], cleaning: Cleaning, report: Report) -> Iterator[Decided]:
    """Yield what may be in a data set at all."""
    for item in found:
        report.decided += 1
        why = _unfit(item, cleaning)
        if why:
            report.removed[why] += 1
        else:
            yield item


def _unfit(item: Decided, cleaning: Cleaning) -> str:
    row = item.row
    if item.evidence.context is None:
        return "decided by an earlier version, which did not keep what the text names"
    held = cleaning.kept_back
    if held is not None and (held.holds(row["source"]) or held.holds(row["target"])):
        return "in what was named to be kept out"
    return cleaning.scan.found(json.dumps(row, ensure_ascii=False)) if cleaning.scan is not None else ""


def _distinct(found: Iterable[Decided], report: Report) -> list[Decided]:
    """Return what differs in more than names and layout, of each the best that is shown."""
    best: dict[tuple[str, str, bool], Decided] = {}
    for item in found:
        row = item.row
        key = (fingerprint(_source(item) + row["target"]), row["target_dialect"], row["agrees"])
        if key in best:
            report.removed["the same as another, names aside"] += 1
        if key not in best or _worth(item) < _worth(best[key]):
            best[key] = item
    return sorted(best.values(), key=_worth)


def _worth(item: Decided) -> tuple[int, float, str]:
    """Return what sorts the best shown first, and always in one order."""
    row = item.row
    return _LEVELS.index(row["level"]), -(row["mutation_score"] or 0.0), row["id"]


def _apart(found: Sequence[Decided], alike: Sequence[int], near: float, report: Report) -> list[Decided]:
    """Return what has no better one beside it whose source and target are both nearly the same."""
    known: dict[tuple[int, str, bool], list[set[bytes]]] = {}
    chosen = []
    for item, group in zip(found, alike, strict=True):
        runs = shingles(tokens(item.row["target"]))
        others = known.setdefault((group, item.row["target_dialect"], item.row["agrees"]), [])
        if any(jaccard(runs, other) >= near for other in others):
            report.removed["nearly the same as another"] += 1
            continue
        others.append(runs)
        chosen.append(item)
    return chosen


def _source(item: Decided) -> str:
    return f"{item.row['callees']}\n{item.row['source']}"


def _rows(chosen: Sequence[Decided]) -> Iterator[tuple[str, Decided, Row]]:
    """Yield the rows of all tables, each with what its split goes by."""
    wrong: dict[tuple[str, str], list[Decided]] = {}
    for item in chosen:
        if not item.row["agrees"]:
            wrong.setdefault(_question(item), []).append(item)
    tested = set()
    for item in chosen:
        yield "pairs", item, item.row
        yield "labels", item, chat.labelled(item)
        if not item.row["agrees"]:
            continue
        yield "sft", item, chat.translation(item)
        yield from (
            ("preferences", item, row) for row in chat.preferences(item, wrong.get(_question(item), ()))
        )
        yield from (("repairs", item, row) for row in chat.repairs(item))
        if item.row["evidence"] not in tested:
            tested.add(item.row["evidence"])
            yield from (("tests", item, row) for row in chat.written_tests(item))


def _question(item: Decided) -> tuple[str, str]:
    """Return what answers to one question share."""
    return fingerprint(_source(item)), item.row["target_dialect"]
