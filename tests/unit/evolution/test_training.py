from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from transpile.errors import UsageError
from transpile.evolution.records import Chronicle
from transpile.evolution.training import MODELS, Models, models_for, train
from transpile.files import write_whole

GIVEN = Models(translator=("small",), tester=("small",))
BETTER = {"translator": ["hf:/better"], "tester": ["small"]}


def python(code: str) -> str:
    return shlex.join([sys.executable, "-c", code])


def test_a_command_is_run_once(tmp_path: Path) -> None:
    chronicle = Chronicle(tmp_path)
    note = tmp_path / "note"
    told = "os.environ['TRANSPILE_ROUND'] + os.environ['TRANSPILE_ROUND_DIR']"
    command = python(f"import os; open({str(note)!r}, 'a').write({told})")
    train(command, chronicle, 2)
    train(command, chronicle, 2)
    assert note.read_text() == f"2{tmp_path}/round-2"


def test_a_command_that_fails_is_run_again(tmp_path: Path) -> None:
    chronicle = Chronicle(tmp_path)
    for _ in range(2):
        with pytest.raises(UsageError, match="status 7 after round 1"):
            train(python("raise SystemExit(7)"), chronicle, 1)
    train(python("pass"), chronicle, 1)


@pytest.mark.parametrize("command", ["/no/such/program", "'unclosed"])
def test_what_cannot_be_run_is_said(tmp_path: Path, command: str) -> None:
    with pytest.raises(UsageError, match="--train cannot be run"):
        train(command, Chronicle(tmp_path), 1)


def test_the_last_training_says_who_is_asked(tmp_path: Path) -> None:
    chronicle = Chronicle(tmp_path)
    assert models_for(chronicle, 1, GIVEN) == GIVEN
    write_whole(chronicle.directory(2) / MODELS, json.dumps(BETTER).encode())
    assert models_for(chronicle, 2, GIVEN) == GIVEN
    assert models_for(chronicle, 4, GIVEN) == Models(translator=("hf:/better",), tester=("small",))


@pytest.mark.parametrize("text", ["{", "{}", '{"translator": ["small"], "tester": ["small"], "judge": []}'])
def test_models_that_cannot_be_read_are_refused(tmp_path: Path, text: str) -> None:
    chronicle = Chronicle(tmp_path)
    write_whole(chronicle.directory(1) / MODELS, text.encode())
    with pytest.raises(UsageError, match="cannot be read"):
        models_for(chronicle, 2, GIVEN)
