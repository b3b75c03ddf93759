"""Transformations in words: ours, and those that users add."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.core import CPP, CUDA, OPENMP
from transpile.errors import UsageError
from transpile.translators.llm.transformations import TARGETS, chosen, parsed

FILE = "targets: openmp, cpp\nsummary: Unroll.\n\nDo four at a time.\n\nTails too.\n"


def names(*asked: str, own: Path | None = None) -> list[str]:
    return [item.name for item in chosen(asked, own, OPENMP)]


def test_all_of_a_target_come_in_the_order_of_their_files() -> None:
    found = names("all")
    assert found == ["simplify", "interchange", "fuse", "tile", "vectorize", "tree-reduction", "coarsen"]
    assert "shared-memory" in [item.name for item in chosen(("all",), None, CUDA)]
    assert "coarsen" not in [item.name for item in chosen(("all",), None, CPP)]


def test_what_is_named_comes_once_and_in_the_order_asked_for() -> None:
    assert names("tile", "fuse", "tile") == ["tile", "fuse"]


def test_every_one_of_ours_says_what_must_not_change() -> None:
    for item in {item for target in (CPP, OPENMP, CUDA) for item in chosen(("all",), None, target)}:
        assert item.summary.endswith(".") and set(item.targets) <= set(TARGETS)
        assert "It pays" in item.text and "Do it right" in item.text


def test_users_add_their_own_and_replace_ours(tmp_path: Path) -> None:
    (tmp_path / "05-unroll.md").write_text(FILE)
    (tmp_path / "tile.md").write_text("targets: openmp\n\nTiles of 7.\n")
    (tmp_path / "notes.txt").write_text("no transformation")
    found = {item.name: item for item in chosen(("all",), tmp_path, OPENMP)}
    assert found["unroll"].summary == "Unroll." and found["unroll"].text == "Do four at a time.\n\nTails too."
    assert found["tile"].text == "Tiles of 7." and found["tile"].summary == "tile"
    ours = next(item for item in chosen(("tile",), None, OPENMP))
    assert found["tile"].digest != ours.digest


@pytest.mark.parametrize(
    ("asked", "said", "hint"),
    [
        ("tiel", "no transformation 'tiel'", "'tile'"),
        ("qqq", "no transformation 'qqq'", "simplify"),
        ("shared-memory", "is for cuda, not openmp", "tile"),
    ],
)
def test_a_name_that_means_nothing_is_refused(asked: str, said: str, hint: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        names(asked)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Just text.\n\nAnd more.", "not 'Just text.'"),
        ("target: openmp\n\nText.", "not 'target: openmp'"),
        ("targets: opnmp\n\nText.", "unknown target 'opnmp'"),
        ("targets: openmp\n\n  \n", "does not describe"),
        ("", "does not describe"),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        parsed("mine.md", text)
    assert "mine.md" in str(caught.value)


def test_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        names("all", own=tmp_path / "nowhere")
