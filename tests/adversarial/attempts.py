"""Print what is attempted, class by class: ``python -m tests.adversarial.attempts``."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

CLASSES = {
    "source": ("test_names.py", "test_reading.py", "test_repositories.py::test_a_device"),
    "candidate": ("test_others.py", "test_swamps.py", "test_planted_files.py", "test_sandbox.py::test_run"),
    "build": (
        "test_sandbox.py::test_build",
        "test_sandbox.py::test_a_compile",
        "test_repositories.py::test_nothing",
    ),
    "flags": ("test_flags.py",),
    "configuration": ("test_configuration.py", "test_keys.py"),
    "Makefile": ("test_flags.py::test_a_makefile", "test_swamps.py::test_a_bomb"),
    "links": (
        "test_repositories.py::test_a_link",
        "test_repositories.py::test_a_pipe",
        "test_planted_files.py",
    ),
    "parser": ("test_repositories.py::test_an_include",),
}
"""Beginnings of the names of tests, by what the attacker has in his hands; some stand in two classes."""


def collected() -> list[str]:
    """Return the names of all tests beside this file, as ``module.py::test[case]``."""
    here = Path(__file__).parent
    modules = sorted({name.partition("::")[0] for names in CLASSES.values() for name in names})
    line = [sys.executable, "-m", "pytest", "--collect-only", "-q", *(str(here / name) for name in modules)]
    said = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    return re.findall(r"^\S*?(test_\w+\.py::.+)$", said, re.MULTILINE)


def main() -> None:
    """Print the number of attempts of each test, and of each class."""
    tests = collected()
    for kind, names in CLASSES.items():
        found = Counter(test.partition("[")[0] for test in tests if test.startswith(names))
        print(f"{kind}: {found.total()}")
        for test, count in found.items():
            print(f"  {count:4}  {test}")


if __name__ == "__main__":
    main()
