"""A port that is killed between and within verdicts loses the unit that was being judged, and no other."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]
ROOT = Path(__file__).parents[2]
MOMENTS = ("judging:5", "evidence:2", "port:3")
"""Before the last of three units is judged, amid its evidence, and amid the port."""


@pytest.mark.thorough
def test_killed_ports_lose_the_unit_that_is_being_judged(builds: Path, tmp_path: Path) -> None:
    for name in ("headers", "native", "precompiled"):
        # Others may be at work there: what is copied in part is made again.
        with suppress(OSError):
            shutil.copytree(builds / name, tmp_path / "cache" / "builds" / name, copy_function=os.link)
    command = [sys.executable, "-m", "tests.integration.random_kills", str(tmp_path), "--warm"]
    command += ["--kills", str(len(MOMENTS)), *(word for item in MOMENTS for word in ("--at", item))]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert [(item["stored"], item["begun_again"]) for item in found["kills"]] == [
        (2, ["plus"]),
        (2, ["plus"]),
        (3, []),
    ]
    assert found["ports"] == 1
