from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile import origin

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    top = tmp_path / "checkout"
    (top / "sub").mkdir(parents=True)
    (top / "sub" / "a.cu").write_text("int x;\n")
    git(top, "init", "--quiet")
    git(top, "add", ".")
    git(top, "commit", "--quiet", "-m", "first")
    git(top, "remote", "add", "origin", "https://someone:secret@example.org/x.git")
    return top


def git(top: Path, *words: str) -> str:
    line = ["git", "-C", str(top), "-c", "user.name=a", "-c", "user.email=a@example.org", *words]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout.strip()


def test_a_clean_checkout_has_an_origin_without_credentials(checkout: Path, tmp_path: Path) -> None:
    place = origin.of(checkout / "sub", tmp_path / "port", unsafe=True)
    assert place.path == "../checkout/sub"
    assert place.url == "https://example.org/x.git"
    assert place.commit == git(checkout, "rev-parse", "HEAD")
    assert place.directory == "sub"


def test_a_changed_checkout_is_of_no_commit(checkout: Path, tmp_path: Path) -> None:
    (checkout / "sub" / "new.cu").write_text("int y;\n")
    assert origin.of(checkout / "sub", tmp_path / "port", unsafe=True).commit == ""


def test_port_beside_its_source_in_one_repository(checkout: Path) -> None:
    place = origin.of(checkout / "sub", checkout / "port", unsafe=True)
    assert (place.path, place.url) == ("../sub", "")


def test_no_repository(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    assert origin.of(tmp_path / "a", tmp_path / "b", unsafe=True).url == ""
