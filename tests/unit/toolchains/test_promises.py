"""Promises of the sandbox on machines of several kinds."""

from __future__ import annotations

import os

import pytest

from transpile.toolchains import sandbox
from transpile.toolchains.promises import Promise, promises
from transpile.toolchains.sandbox import Layer

ROOT, USER = 0, 1000


def promised(monkeypatch: pytest.MonkeyPatch, usable: str, user: int) -> dict[str, Promise]:
    names = ("landlock", "seccomp", "bubblewrap")
    layers = tuple(Layer(name=name, usable=name in usable.split(), detail="") for name in names)
    monkeypatch.setattr(sandbox, "layers", lambda: layers)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    return {item.what: item for item in promises()}


@pytest.mark.parametrize(
    ("usable", "user", "open_to"),
    [
        ("landlock seccomp bubblewrap", USER, {"whether a file exists"}),
        ("landlock seccomp bubblewrap", ROOT, {"whether a file exists", "root"}),
        ("landlock seccomp", USER, {"whether a file exists"}),
        ("seccomp bubblewrap", USER, set()),
        ("seccomp bubblewrap", ROOT, {"root"}),
    ],
)
def test_what_is_not_held(usable: str, user: int, open_to: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = promised(monkeypatch, usable, user)
    assert {item.what for item in found.values() if not item.held} == open_to | {"faults of the kernel"}
    assert all(bool(item.remedy) != item.held for item in found.values())


@pytest.mark.parametrize("usable", ["", "seccomp", "landlock", "bubblewrap"])
def test_where_nothing_holds_nothing_runs(usable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = promised(monkeypatch, usable, USER)
    for what in ("files of others", "sockets, network", "your other processes", "memory, processes, threads"):
        assert not found[what].held
        assert found[what].how == "foreign code is not run here"


def test_one_layer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "one layer keeps" in promised(monkeypatch, "landlock seccomp", ROOT)["root"].how
    assert "bubblewrap" not in promised(monkeypatch, "landlock seccomp", USER)["files of others"].how
