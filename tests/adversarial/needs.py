"""Needs of a candidate: what a machine must have to judge it."""

from __future__ import annotations

import os
import shutil

import pytest

from transpile.toolchains import sandbox

JUDGING = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]
RACES = [
    *JUDGING,
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]


def is_root() -> bool:
    """Tell whether we may do what only root may."""
    return os.geteuid() == 0
