"""Models, as a user asks for them on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import config
from transpile.cli.models import transformations
from transpile.core import OPENMP
from transpile.errors import UsageError
from transpile.options import ModelOptions

MODEL = ModelOptions(use=("small",))
TILING = ModelOptions(use=("small",), optimize=("tile",))


def asked(settings: ModelOptions, wanted: bool | None = None, *names: str) -> list[str]:
    found = transformations(settings, OPENMP, wanted=wanted, names=names or None)
    return [item.name for item in found]


def test_nothing_is_optimised_unless_that_is_asked_for() -> None:
    assert asked(MODEL) == []
    assert asked(ModelOptions()) == []
    assert asked(TILING, False) == []
    assert asked(TILING, False, "tile") == []


def test_the_command_line_beats_the_file() -> None:
    assert len(asked(MODEL, True)) > 5
    assert asked(TILING) == asked(TILING, True) == ["tile"]
    assert asked(TILING, None, "fuse,vectorize", "simplify") == ["fuse", "vectorize", "simplify"]
    assert len(asked(TILING, None, "all")) > 5


def test_transformations_of_the_user_are_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "unroll.md").write_text("targets: openmp\n\nBy four.\n")
    (tmp_path / "transpile.toml").write_text(
        '[models]\nuse = ["small"]\noptimize = ["unroll"]\ntransformations = "ours"\n'
    )
    assert asked(config.load(tmp_path / "transpile.toml").models) == ["unroll"]


def test_without_a_model_nobody_can_carry_them_out() -> None:
    with pytest.raises(UsageError, match="carried out by a model") as caught:
        asked(ModelOptions(optimize=("tile",)))
    assert "--model" in caught.value.hint
