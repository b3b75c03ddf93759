"""The page of an evolution: readable without colours, well-formed, and deaf to what sources say in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from transpile.report.evolution import SIGNS, page, plot

HOSTILE = "</title><script>alert(1)</script>"


def figures(number: int, **changes: Any) -> dict[str, Any]:
    found = {
        "round": number,
        "units": 4,
        "asked": 8,
        "answered": 8,
        "samples": 2,
        "pass_at_1": 0.25,
        "pass_at_k": 0.5,
        "kept": number,
        "candidates": 5,
        "fallen": 0,
        "written": 6,
        "validity": 0.5,
        "admitted": 1,
        "discriminating": 1.0,
        "mutation_score": 0.9,
        "seconds": 1.0,
    }
    return found | changes


def unit(*cells: list[str], kept: bool = False) -> dict[str, Any]:
    return {
        "entry": HOSTILE,
        "unit": f"a.cu::{HOSTILE}",
        "evidence": "0123",
        "kept": kept,
        "rows": [{"name": f"answer {number}", "verdict": "falsified"} for number, _ in enumerate(cells)],
        "columns": [{"trial": f'"{HOSTILE}', "written": number == 2} for number in range(len(cells[0]))],
        "cells": list(cells),
    }


ROWS = (["agrees", "differs", "crashes"], ["agrees", "undecided", "unbuilt"])


def shown(*rounds: dict[str, Any]) -> str:
    return page(HOSTILE, "C++", rounds or (figures(1), figures(2)), {"units": [unit(*ROWS)]}).decode()


class Cells(HTMLParser):
    """Collects the heat map: class and text of its cells."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        self._open = dict(attrs).get("class") or "" if tag == "td" else ""

    def handle_data(self, data: str) -> None:
        if self._open in SIGNS:
            self.found.append((self._open, data))
        self._open = ""


def test_every_cell_has_a_sign_of_its_own() -> None:
    reader = Cells()
    reader.feed(shown())
    assert reader.found == [(cell, SIGNS[cell]) for row in ROWS for cell in row]
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_what_a_source_says_is_text() -> None:
    text = shown()
    assert "<script" not in text and text.count("</title>") == text.count("<title")


def test_the_plot_is_svg_that_is_read_aloud() -> None:
    svg = re.search(r"<svg.*?</svg>", shown(), re.DOTALL)
    assert svg is not None
    tree = ElementTree.fromstring(svg[0])
    assert "Pass@1: 25 % in round 1, 25 % in round 2." in (tree.findtext("desc") or "")
    assert [line.get("points", "").count(",") for line in tree.iter("polyline")] == [2, 2, 2]


def test_what_is_not_known_is_not_drawn() -> None:
    rounds = [{**figures(1, mutation_score=None), "kept_share": 0.25}]
    assert [series.name for series in plot(rounds).series] == ["Pass@1", "units kept"]
    later = [*rounds, {**figures(3, pass_at_1=None), "kept_share": 0.5}]
    lines = {series.name: [point.round for point in series.points] for series in plot(later).series}
    assert lines == {"Pass@1": [1], "units kept": [1, 3], "mutation score": [3]}


def test_names_do_not_cover_each_other_nor_leave_the_plot() -> None:
    for share in (0.0, 0.5, 1.0):
        drawn = plot([{**figures(1, pass_at_1=share, mutation_score=share), "kept_share": share}])
        labels = sorted(series.label for series in drawn.series)
        assert all(second - first >= 16 for first, second in pairwise(labels))
        assert labels[-1] <= drawn.bottom and labels[0] >= 0


def test_one_round_is_a_page_too() -> None:
    assert "1 of 4 units kept" in shown(figures(1))
