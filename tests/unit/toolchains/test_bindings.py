"""Names in an object that the loader binds at once."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest

from transpile.toolchains.bindings import bound_at_once

TEXT = """
extern int elsewhere;
int called();
struct Base { virtual ~Base() {} virtual int first() { return 1; } virtual int second(); };
struct Own { virtual int first() { return called(); } virtual int second(); };
inline int Own::second() { return elsewhere; }
Own own;
int (*kept)() = called;
extern "C" int asked(int which) { return which ? Base().first() : 7; }
"""
LACKING = {"elsewhere", "_Z6calledv", "_ZTV4Base"}


def built(folder: Path) -> Path:
    (folder / "a.cpp").write_text(TEXT)
    command = ["g++", "-g", "-fPIC", "-O0", "-c", "a.cpp", "-o", "a.o"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "a.o"


def test_what_no_call_names_is_bound_at_once(tmp_path: Path) -> None:
    found = set(bound_at_once(built(tmp_path).read_bytes()))
    assert {name for name in found if not name.startswith("_ZTVN10__cxxabiv1")} == LACKING


@pytest.mark.parametrize("weakened", [False, True])
def test_what_is_bound_at_once_need_not_be_there(tmp_path: Path, *, weakened: bool) -> None:
    names = bound_at_once(built(tmp_path).read_bytes())
    for name in names if weakened else ():
        subprocess.run(["objcopy", f"--weaken-symbol={name}", "a.o"], cwd=tmp_path, check=True)
    subprocess.run(["g++", "-shared", "a.o", "-o", "a.so"], cwd=tmp_path, check=True)
    try:
        library = ctypes.CDLL(str(tmp_path / "a.so"), mode=1)
    except OSError as error:
        assert not weakened and any(name in str(error) for name in LACKING)
    else:
        assert weakened and library.asked(0) == 7


@pytest.mark.parametrize(
    "data", [b"", b"\x7fELF\x02\x01", b"\x7fELF\x02\x01" + b"\xff" * 64, b"\x7fELF\x02\x01" + b"\x10" * 400]
)
def test_no_object_names_nothing(data: bytes) -> None:
    assert bound_at_once(data) == ()
