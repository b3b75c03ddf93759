from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from transpile import lock
from transpile.core import (
    CUDA,
    Attempt,
    Binding,
    Candidate,
    Evidence,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    Replacement,
    Source,
    Span,
    Unit,
    UnitKind,
    Verdict,
)
from transpile.errors import ConfigurationError, UsageError

HELPER = b"__device__ int twice(int x)\n{\n    return 2 * x;\n}"
KERNEL = b"__global__ void k(int *a)\n{\n    a[0] = twice(a[0]);\n}"
OTHER = b"__global__ void other(int *a)\n{\n    a[0] = 1;\n}"
RUN = b"void run(int *a) { k<<<1, 1>>>(a); }"
PORTED = b"void k(int *a)\n{\n    a[0] = twice(a[0]);\n}"
SOURCE_FILES = {
    "a.cu": b'#include "h.cuh"\n\n' + KERNEL + b"\n\n    " + OTHER + b"\n" + RUN + b"\n",
    "h.cuh": b"#pragma once\n" + HELPER + b"\n",
    "Makefile": b"all:\n",
    "README.md": b"read me\n",
}
PORT_FILES = {"a.cpp": b'#include "h.hpp"\n' + PORTED + b"\n", "h.hpp": b"int twice(int x);\n"}
PASSED = Passed(guarantee=Guarantee(level=Level.TESTED, trials=9, checks=("exact",)))


def unit(path: str, name: str, text: bytes, kind: UnitKind, callees: tuple[str, ...] = ()) -> Unit:
    start = SOURCE_FILES[path].index(text)
    return Unit(
        id=f"{path}::{name}",
        kind=kind,
        path=path,
        name=name,
        span=Span(start=start, end=start + len(text)),
        line=1,
        text=text,
        callees=callees,
    )


UNITS = (
    unit("h.cuh", "twice", HELPER, UnitKind.DEVICE),
    unit("a.cu", "k", KERNEL, UnitKind.KERNEL, ("h.cuh::twice",)),
    unit("a.cu", "other", OTHER, UnitKind.KERNEL),
    unit("a.cu", "run", RUN, UnitKind.GLUE, ("a.cu::k",)),
)


def evidence(which: Unit, verdict: Verdict, text: bytes) -> Evidence:
    candidate = Candidate(
        unit=which.id,
        replacements=(Replacement(unit=which.id, text=text),),
        binding=Binding(name=which.name, arguments=("a",)),
    )
    return Evidence(
        unit=which, contracts=(), attempts=(Attempt(candidate=candidate, verdict=verdict),), id="0123456789ab"
    )


def write(root: Path, files: Mapping[str, bytes]) -> Path:
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


@pytest.fixture
def here(tmp_path: Path) -> Path:
    write(tmp_path / "source", SOURCE_FILES)
    write(tmp_path / "port", PORT_FILES)
    (tmp_path / "port" / lock.FILE).write_bytes(lock.dump(make(tmp_path)))
    return tmp_path


def make(root: Path) -> lock.Lock:
    source = Source(
        root=root / "source",
        files=SOURCE_FILES,
        dialect=CUDA,
        translation_units=(),
        units=UNITS,
        signatures={},
        launches=(),
    )
    decided = (
        evidence(UNITS[1], PASSED, b"\n" + PORTED + b"\n"),
        evidence(UNITS[2], Inconclusive(reason="why"), b"void other() {}"),
    )
    return lock.make(
        source=source,
        evidence=decided,
        files=PORT_FILES,
        paths={"a.cu": "a.cpp", "h.cuh": "h.hpp"},
        place=lock.SourcePlace(path="../source", exclude=("third_party",)),
        target="openmp",
        required=Level.TESTED,
    )


def changes(here: Path) -> list[tuple[str, str, str]]:
    agreed = lock.load(here / "port" / lock.FILE)
    found = lock.changes(agreed, source=here / "source", port=here / "port")
    return [(change.side, change.unit or change.path, change.reason) for change in found]


def edit(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


def test_nothing_changed(here: Path) -> None:
    assert changes(here) == []


def test_what_the_lock_says(here: Path) -> None:
    agreed = lock.load(here / "port" / lock.FILE)
    assert agreed.source.path == "../source"
    kernel, other = agreed.units["a.cu::k"], agreed.units["a.cu::other"]
    assert (kernel.verdict, kernel.level, kernel.evidence) == ("passed", Level.TESTED, "0123456789ab")
    assert kernel.target_path == "a.cpp"
    assert (other.verdict, other.level, other.target_path, other.target) == ("inconclusive", None, "", None)
    assert agreed == make(here)


def test_a_changed_kernel_is_named(here: Path) -> None:
    edit(here / "source" / "a.cu", b"twice(a[0])", b"twice(a[1])")
    assert changes(here) == [("source", "a.cu::k", "its text changed")]


def test_a_unit_after_indentation_is_found_again(here: Path) -> None:
    edit(here / "source" / "a.cu", b"a[0] = 1", b"a[0] = 2")
    assert changes(here) == [("source", "a.cu::other", "its text changed")]


def test_callers_of_what_changed_are_named(here: Path) -> None:
    edit(here / "source" / "h.cuh", b"2 * x", b"3 * x")
    assert changes(here) == [
        ("source", "h.cuh::twice", "its text changed"),
        ("source", "a.cu::k", "it calls h.cuh::twice, which changed"),
    ]


def test_a_changed_macro_is_no_unit_but_stale(here: Path) -> None:
    edit(here / "source" / "h.cuh", b"#pragma once", b"#pragma once\n#define return")
    assert changes(here) == [("source", "h.cuh", "changed outside of its units")]


def test_a_changed_translation_is_named(here: Path) -> None:
    edit(here / "port" / "a.cpp", b"a[0] = twice", b"a[1] = twice")
    assert changes(here) == [("port", "a.cu::k", "its text changed")]


def test_glue_of_the_port_counts(here: Path) -> None:
    edit(here / "port" / "h.hpp", b"int x", b"long x")
    assert changes(here) == [("port", "h.hpp", "changed outside of its units")]


def test_what_is_gone(here: Path) -> None:
    (here / "source" / "h.cuh").unlink()
    (here / "port" / "a.cpp").unlink()
    assert changes(here) == [
        ("source", "h.cuh", "the file is gone"),
        ("source", "h.cuh::twice", "its file is gone"),
        ("source", "a.cu::k", "it calls h.cuh::twice, which changed"),
        ("port", "a.cpp", "the file is gone"),
        ("port", "a.cu::k", "its file is gone"),
    ]


def test_prose_and_data_do_not_count(here: Path) -> None:
    agreed = lock.load(here / "port" / lock.FILE)
    assert "README.md" not in agreed.source_files
    assert "Makefile" in agreed.source_files


def test_a_new_file_is_stale_unless_it_was_left_out(here: Path) -> None:
    write(here / "source", {"new.cu": b"", "notes.txt": b"", "third_party/x.cu": b"", "build/y.cu": b""})
    assert changes(here) == [("source", "new.cu", "the file is new, and not in the port")]


def test_pinned_source_that_is_not_here(here: Path) -> None:
    agreed = lock.load(here / "port" / lock.FILE)
    edit(here / "source" / "a.cu", b"a[0] = 1", b"a[0] = 2")
    assert lock.changes(agreed, source=None, port=here / "port") == ()


def test_no_lock_and_a_damaged_one(here: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        lock.load(here / lock.FILE)
    edit(here / "port" / lock.FILE, b'"version": 1', b'"version": "x"')
    with pytest.raises(ConfigurationError, match="version"):
        lock.load(here / "port" / lock.FILE)


def test_lines_are_sorted_and_one_fact_each(here: Path) -> None:
    text = (here / "port" / lock.FILE).read_text()
    assert text.index('"a.cu::k": {') < text.index('"a.cu::other": {') < text.index('"h.cuh::twice": {')
    assert all(len(line) < 120 for line in text.splitlines())
