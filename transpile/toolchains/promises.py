"""Promises of the sandbox on this machine: kept or not, and the remedy where not."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from transpile.toolchains import limits, sandbox

_LAYERS = "a kernel with Landlock (Linux 5.13), or apt-get install bubblewrap"
_ENCLOSE = "a container or virtual machine that holds nothing but the repository"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One thing that foreign code may want to do."""

    what: str
    held: bool
    how: str
    """By what it is held, or what is possible where it is not."""
    remedy: str = ""
    """A way to hold it; empty where it is held."""


def promises() -> Iterator[Promise]:
    """Yield what is promised of foreign code on this machine."""
    landlock, seccomp, bubblewrap = sandbox.layers()
    usable = sandbox.usable()
    by = [layer.name for layer in (landlock, bubblewrap) if layer.usable]
    yield _files(landlock, by)
    for what, how in (
        ("sockets, network", "seccomp refuses them"),
        ("your other processes", "seccomp refuses signals, tracing and reading of their memory"),
    ):
        yield _promise(what, usable and seccomp.usable, how, _LAYERS)
    how = f"each process has a limit, and more than {limits.TASKS} of them are ended within a moment"
    yield _promise("memory, processes, threads", usable, how, _LAYERS)
    how = f"{limits.DISK >> 30} GiB and {limits.FILES:,} files a command; more is ended within a moment"
    yield _promise("disk, number of files", usable, how, _LAYERS)
    yield _names(landlock, bubblewrap)
    yield _root(len(by) > 1)
    yield Promise(
        what="faults of the kernel", held=False, how="what breaks the kernel is free", remedy=_ENCLOSE
    )


def _promise(what: str, held: bool, how: str, remedy: str) -> Promise:
    if held:
        return Promise(what=what, held=True, how=how)
    return Promise(what=what, held=False, how="foreign code is not run here", remedy=remedy)


def _files(landlock: sandbox.Layer, by: list[str]) -> Promise:
    how = f"{' and '.join(by)} in builds, {'landlock' if landlock.usable else 'bubblewrap'} in runs"
    return _promise("files of others", sandbox.usable(), how, _LAYERS)


def _names(landlock: sandbox.Layer, bubblewrap: sandbox.Layer) -> Promise:
    """Landlock governs what is opened, not what is asked about."""
    if bubblewrap.usable and not landlock.usable:
        return Promise(what="whether a file exists", held=True, how="bubblewrap shows no others")
    where = "code that runs" if bubblewrap.usable else "foreign code"
    return Promise(
        what="whether a file exists",
        held=False,
        how=f"{where} can find out that there is one, its size and its owner, not what it holds",
        remedy=_ENCLOSE,
    )


def _root(two: bool) -> Promise:
    if os.geteuid() != 0:
        return Promise(what="root", held=True, how="you are not root")
    layers = "two layers keep it from them in builds, one in runs" if two else "one layer keeps it from them"
    return Promise(
        what="root",
        held=False,
        how=f"foreign code has no capability, but is the owner of root's files: {layers}",
        remedy="run transpile as another user",
    )
