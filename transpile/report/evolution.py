"""Rounds of an evolution as one HTML page that needs no network: figures, a plot, and who fell to what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transpile.report.html import environment_of_pages, packed, text_of_ours

_WIDTH, _HEIGHT = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 176, 16, 36
_APART = 16
"""Least distance of two names at the ends of lines."""
SIGNS = {"agrees": "✓", "differs": "✗", "crashes": "!", "undecided": "?", "unbuilt": "-"}
LINES = (
    ("pass_at_1", "Pass@1", "circle"),
    ("kept_share", "units kept", "square"),
    ("mutation_score", "mutation score", "diamond"),
)
"""Figures that are plotted, and the shape of their points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A figure of a round in the plot."""

    round: int
    share: float
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A figure over the rounds."""

    name: str
    shape: str
    points: tuple[Point, ...]
    label: float
    """Height of its name beside the last point."""

    @property
    def path(self) -> str:
        """Return the points as an SVG polyline takes them."""
        return " ".join(f"{point.x:.1f},{point.y:.1f}" for point in self.points)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """Lines over rounds, with the places of its axes."""

    series: tuple[Series, ...]
    rounds: tuple[tuple[int, float], ...]
    shares: tuple[tuple[int, float], ...]
    width: int = _WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = _WIDTH - _RIGHT
    bottom: int = _HEIGHT - _BOTTOM


def page(name: str, target: str, rounds: Sequence[Mapping[str, Any]], matrices: Mapping[str, Any]) -> bytes:
    """Return the page.

    Args:
        name: Of the corpus.
        target: What it is translated to, in words.
        rounds: The figures of each round, as ``metrics.json`` has them.
        matrices: What ``matrix.json`` of the last round has.
    """
    environment = environment_of_pages()
    text = environment.get_template("evolution.html").render(
        name=name,
        target=target,
        rounds=rounds,
        last=rounds[-1],
        plot=plot([_with_share(item) for item in rounds]),
        units=[_with_signs(unit) for unit in matrices["units"]],
        signs=SIGNS,
        style=text_of_ours(environment, "report.css") + text_of_ours(environment, "evolution.css"),
    )
    return packed(text)


def plot(rounds: Sequence[Mapping[str, Any]]) -> Plot:
    """Return the lines of the figures that are known."""
    numbers = [item["round"] for item in rounds]
    span = max(numbers[-1] - numbers[0], 1)
    places = {number: _LEFT + (_WIDTH - _LEFT - _RIGHT) * (number - numbers[0]) / span for number in numbers}
    drawn = [
        (name, shape, tuple(_points(rounds, key, places)))
        for key, name, shape in LINES
        if any(item.get(key) is not None for item in rounds)
    ]
    labels = _spread([points[-1].y for _, _, points in drawn])
    return Plot(
        series=tuple(
            Series(name=name, shape=shape, points=points, label=label)
            for (name, shape, points), label in zip(drawn, labels, strict=True)
        ),
        rounds=tuple(places.items()),
        shares=tuple((share, _height(share / 100)) for share in (0, 25, 50, 75, 100)),
    )


def _points(rounds: Sequence[Mapping[str, Any]], key: str, places: Mapping[int, float]) -> Iterator[Point]:
    for item in rounds:
        share = item.get(key)
        if share is not None:
            yield Point(round=item["round"], share=share, x=places[item["round"]], y=_height(share))


def _height(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _spread(heights: Sequence[float]) -> list[float]:
    """Return heights near those given at which names do not cover each other."""
    found = dict.fromkeys(range(len(heights)), 0.0)
    lowest = -float(_APART)
    for number in sorted(found, key=lambda index: heights[index]):
        lowest = max(heights[number], lowest + _APART)
        found[number] = lowest
    beyond = max(lowest - (_HEIGHT - _BOTTOM), 0.0)
    return [height - beyond for height in found.values()]


def _with_share(item: Mapping[str, Any]) -> dict[str, Any]:
    return {**item, "kept_share": item["kept"] / item["units"] if item["units"] else None}


def _with_signs(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Return a unit with how many candidates each of its trials tells from the source."""
    falls = [
        sum(cell in ("differs", "crashes") for cell in column) for column in zip(*unit["cells"], strict=True)
    ]
    return {**unit, "falls": falls}
