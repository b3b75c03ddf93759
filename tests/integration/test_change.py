"""A port as a patch of its source, and made in a work tree of git."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.integration
LOOP = "void twice(double *x, int n)\n{\n    for (int i = 0; i < n; i++) x[i] *= 2;\n}\n"


def git(root: Path, *words: str) -> str:
    own = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *own, *words], cwd=root, capture_output=True, text=True, check=True).stdout


def port(source: Path, cache: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    run = "from transpile.cli.main import main; main()"
    line = [sys.executable, "-c", run, "port", str(source), "--to", "openmp", *words]
    return subprocess.run(
        line, capture_output=True, env={**os.environ, "TRANSPILE_CACHE": str(cache)}, check=False
    )


def test_a_port_is_a_patch_or_a_change(tmp_path: Path, cache: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "work.c").write_text(LOOP)
    (source / "Makefile").write_text("work.o: work.c\n")
    git(source, "init", "-q")
    unsafe = port(source, cache, "--in-place")
    assert unsafe.returncode == 2 and b"no clean work tree" in unsafe.stderr
    git(source, "add", "-A")
    git(source, "commit", "-q", "-m", "before")
    shown = port(source, cache, "--diff")
    assert shown.returncode == 0, shown.stderr
    assert b"1 of 1 units kept" in shown.stderr
    assert git(source, "status", "--porcelain") == ""
    changed = port(source, cache, "--in-place")
    assert changed.returncode == 0, changed.stderr
    assert git(source, "status", "--porcelain").split() == ["M", "Makefile", "M", "work.c"]
    assert "#pragma omp parallel for" in (source / "work.c").read_text()
    git(source, "stash")
    subprocess.run(["git", "apply", "-"], cwd=source, input=shown.stdout, check=True)
    assert git(source, "diff", "stash@{0}") == ""
    both = port(source, cache, "--diff", "--out", str(tmp_path / "out"))
    assert both.returncode == 2 and b"do not go together" in both.stderr
