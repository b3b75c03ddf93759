from __future__ import annotations

from pathlib import Path

import pytest

from transpile.core import CUDA, OPENMP
from transpile.errors import UsageError
from transpile.evolution.corpus import entries, mark, roots
from transpile.options import PortOptions

KERNEL = "__global__ void k(int *a, int n) { int i = threadIdx.x; if (i < n) a[i] = i; }\n"


def tree(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(KERNEL)
    return root


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (("a/k.cu", "b/src/k.cu", ".git/x.cu"), ["a", "b"]),
        (("k.cu", "b/k.cu"), ["."]),
        (("Makefile", "src/k.cu"), ["."]),
        (("notes.txt", "a/k.cu"), ["a"]),
    ],
)
def test_what_is_a_repository(tmp_path: Path, files: tuple[str, ...], expected: list[str]) -> None:
    found = [root.relative_to(tmp_path).as_posix() for root in roots(tree(tmp_path, *files))]
    assert found == expected


def test_a_file_is_a_corpus(tmp_path: Path) -> None:
    file = tree(tmp_path, "k.cu") / "k.cu"
    assert roots(file) == (file,)


def test_an_empty_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no code in it"):
        roots(tmp_path)


def test_entries_that_lead_nowhere_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "a/k.cu")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "f.c").write_text("void f(int *a, int n) { for (int i = 0; i < n; i++) a[i] = i; }\n")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "notes.c").write_text("/* nothing */\n")
    options = PortOptions(cache=tmp_path / "cache", target=OPENMP)
    assert [entry.name for entry in entries(tmp_path, options)] == ["a", "b"]
    to_cuda = PortOptions(cache=tmp_path / "cache", target=CUDA)
    assert [entry.name for entry in entries(tmp_path, to_cuda)] == ["b"]


def test_another_text_is_another_corpus(tmp_path: Path) -> None:
    tree(tmp_path, "a/k.cu", "b/k.cu")
    options = PortOptions(cache=tmp_path / "cache")
    before = mark(list(entries(tmp_path, options)))
    assert mark(list(entries(tmp_path, options))) == before
    (tmp_path / "b" / "k.cu").write_text(KERNEL.replace("= i", "= 2 * i"))
    assert mark(list(entries(tmp_path, options))) != before
