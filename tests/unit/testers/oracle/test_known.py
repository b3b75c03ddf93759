"""Items kept in bounded memory, and those that go."""

from __future__ import annotations

from transpile.testers.oracle.known import Known


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    known = Known[str](100)
    known.add("a", "first", 40)
    known.add("b", "second", 40)
    assert known.get("a") == "first"
    known.add("c", "third", 40)
    assert known.get("b") is None
    assert (known.get("a"), known.get("c")) == ("first", "third")


def test_what_is_too_large_by_itself_is_not_kept() -> None:
    known = Known[str](100)
    known.add("a", "first", 40)
    known.add("b", "second", 101)
    assert (known.get("a"), known.get("b")) == (None, None)


def test_a_key_that_is_added_again_counts_once() -> None:
    known = Known[str](100)
    for text in ("old", "new"):
        known.add("a", text, 60)
    known.add("b", "other", 40)
    assert (known.get("a"), known.get("b")) == ("new", "other")
