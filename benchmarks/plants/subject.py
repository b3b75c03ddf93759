"""Functions, right translations of them, and what their arguments are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from transpile.core import CUDA, HIP, OPENMP

SUBJECTS = Path(__file__).parent / "subjects"
DIALECTS = {"openmp": OPENMP, "cuda": CUDA, "hip": HIP}
_DESCRIBED = re.compile(r"/\* (\w+): (.*?) \*/\n(.*?\n\}\n)", re.DOTALL)
_HEAD = re.compile(r"^(?:__global__ )?([\w ]+?) (\w+)\(([^)]*)\)", re.MULTILINE)
_ARRAY = re.compile(r"(\w+)\[([^\]]+)\](?:<(\w+))?")
_TITLE = re.compile(r"^// === (\w+)(?:: (.+))?\n", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a function."""

    name: str
    type: str
    """In C, without ``const`` and ``*``."""
    constant: bool = False
    extent: str = ""
    """Elements of an array, as an expression of the sizes; empty for a scalar."""
    below: str = ""
    """A bound of the array's values, of which none is negative."""

    @property
    def size(self) -> bool:
        """Tell whether it counts elements."""
        return not self.extent and self.type == "int" and self.name != "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function or kernel of a source."""

    name: str
    file: str
    text: str
    returns: str
    parameters: tuple[Parameter, ...]
    launch: str
    """Grid and block of a kernel; empty for a function."""

    @property
    def sizes(self) -> tuple[str, ...]:
        """Return the names of the sizes."""
        return tuple(item.name for item in self.parameters if item.size)

    def launchable(self, sizes: Mapping[str, int]) -> bool:
        """Tell whether there are threads of each kind to launch, as there are for every function."""
        return all(size > 0 for name, size in sizes.items() if re.search(rf"\b{name}\b", self.launch))

    @property
    def arrays(self) -> dict[str, Parameter]:
        """Return the arrays by name."""
        return {item.name: item for item in self.parameters if item.extent}


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A right translation of a function."""

    function: Function
    dialect: str
    label: str
    text: str

    @property
    def id(self) -> str:
        """Return a name that is the subject's alone."""
        return f"{self.function.name}-{self.dialect}" + (f"-{self.label}" if self.label else "")


def read() -> tuple[Subject, ...]:
    """Return all subjects, those of one file of sources side by side."""
    return tuple(_read())


def _read() -> Iterator[Subject]:
    for source in sorted(SUBJECTS.glob("*.c*")):
        if source.suffix not in (".c", ".cu"):
            continue
        functions = {item.name: item for item in _functions(source)}
        for dialect in DIALECTS:
            file = source.with_suffix(f".{dialect}")
            if file.exists():
                _, *parts = _TITLE.split(file.read_text())
                for name, label, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
                    yield Subject(function=functions[name], dialect=dialect, label=label or "", text=text)


def _functions(file: Path) -> Iterator[Function]:
    for name, described, text in _DESCRIBED.findall(file.read_text()):
        facts, _, launch = described.partition("<<<")
        arrays = {found[0]: found[1:] for found in _ARRAY.findall(facts)}
        head = _HEAD.search(text)
        if head is None or head[2] != name:
            raise ValueError(f"{file.name}: no function {name} behind its description")
        yield Function(
            name=name,
            file=file.name,
            text=text,
            returns=head[1],
            parameters=tuple(_parameter(item.strip(), arrays) for item in head[3].split(",")),
            launch=launch.removesuffix(">>>").strip(),
        )


def _parameter(text: str, arrays: dict[str, tuple[str, ...]]) -> Parameter:
    constant = text.startswith("const ")
    written, name = re.fullmatch(r"(?:const )?([\w ]+?) \*?(\w+)", text).groups()  # type: ignore[union-attr]
    extent, bound = arrays.get(name, ("", ""))
    return Parameter(name=name, type=written, constant=constant, extent=extent, below=bound)
