"""Lengths that several questions name, as numbers that are reckoned once."""

from __future__ import annotations

from transpile.translators.targets.openmp.lengths import shortened

LONG = "(long long)rows * columns + 4 * (long long)rows"
ASKED = [f"u + ({LONG}) <= v || v + n <= u", f"u + ({LONG}) <= w || w + ({LONG}) <= u"]


def test_a_long_length_is_named_after_an_array() -> None:
    declared, texts = shortened(ASKED, {LONG: "grid.u", "n": "v"}, (), 2)
    assert declared == [f"const long long u_length_2 = {LONG};"]
    assert texts == ["u + u_length_2 <= v || v + n <= u", "u + u_length_2 <= w || w + u_length_2 <= u"]


def test_names_of_the_function_keep_their_meaning() -> None:
    declared, _ = shortened(ASKED, {LONG: "u"}, ("u_length",), 0)
    assert declared == [f"const long long u_length2 = {LONG};"]


def test_one_condition_stays_as_it_is() -> None:
    assert shortened(ASKED[:1], {LONG: "u", "n": "v"}, (), 0) == ([], ASKED[:1])
