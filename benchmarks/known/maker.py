"""Parts of C functions with known extents: names, parameters in any order, several spellings."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

Draw = np.random.Generator
Value = np.ndarray | np.generic | bytes
Values = dict[str, Value | int | float]

DTYPES: Mapping[str, str] = {
    "float": "f4",
    "double": "f8",
    "int": "i4",
    "unsigned": "u4",
    "long": "i8",
    "size_t": "u8",
    "short": "i2",
    "char": "i1",
    "unsigned char": "u1",
    "unsigned short": "u2",
}
REALS = ("float", "float", "double")
NUMBERS = (*REALS, "int")
_SIZES = ("n", "m", "count", "rows", "cols", "width", "height", "nx", "ny", "size", "len", "total", "dim")
_SIZES += ("batch", "chan", "np", "K", "L", "nnz", "items", "steps", "num", "N1", "blocks", "depth")
_ARRAYS = (
    "x",
    "y",
    "a",
    "b",
    "in",
    "out",
    "src",
    "dst",
    "data",
    "buf",
    "vals",
    "res",
    "grid",
    "field",
    "img",
)
_ARRAYS += ("w", "u", "v", "q", "acc", "points", "feat", "tab", "map", "sel", "sum", "C", "A", "B", "wave")
_LOCALS = ("i", "j", "k", "t", "p", "r", "c", "e", "s", "at", "pos", "l", "o", "z0", "h")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter as it is declared."""

    name: str
    declared: str
    """Such as ``const float *x``."""
    dtype: str
    """Of an element or of the value; empty for a struct by value."""
    pointer: bool
    stride: int = 1
    """Elements of an argument that are one of the array's: the bytes of a struct."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A C function of which is known how far any call reaches into each array."""

    kind: str
    name: str
    types: str
    """Structs and macros that it needs."""
    header: str
    body: str
    parameters: tuple[Parameter, ...]
    returned: str
    """``f``, ``d`` or ``b``, as the oracle compares it; empty for nothing."""
    drawn: Callable[[Draw], Values]
    unused: frozenset[str]
    """Parameters that the text does not use."""

    @property
    def text(self) -> str:
        """Return the function alone."""
        return f"{self.header}\n{self.body}\n"

    @property
    def declaration(self) -> str:
        """Return its types and its prototype."""
        return f"#include <stddef.h>\n{self.types}{self.header};\n"

    def draw(self, random: Draw) -> tuple[Value, ...]:
        """Return the arguments of a random valid call, every array exactly as long as the call reaches."""
        values = self.drawn(random)
        return tuple(values[item.name] for item in self.parameters)


@dataclass
class Maker:
    """Makes one function; what it is asked for is drawn from its own seed."""

    kind: str
    number: int
    random: random.Random
    used: set[str] = field(default_factory=lambda: {"if", "for", "int", "min", "max", "do", "float"})
    parameters: list[Parameter] = field(default_factory=list)
    extra: dict[str, Callable[[Draw], Value]] = field(default_factory=dict)
    types: str = ""

    def choose(self, *options: str) -> str:
        """Return one of them."""
        return self.random.choice(options)

    def chance(self, share: float) -> bool:
        """Return True that often."""
        return self.random.random() < share

    def fresh(self, pool: Sequence[str]) -> str:
        """Return a name that nothing has yet."""
        free = [name for name in pool if name not in self.used] or [f"{pool[0]}{len(self.used)}"]
        name = self.random.choice(free)
        self.used.add(name)
        return name

    def local(self) -> str:
        """Return a name for a variable."""
        return self.fresh(_LOCALS)

    def scalar(self, ctype: str = "int", name: str = "") -> str:
        """Add a parameter by value."""
        name = name or self.fresh(_SIZES)
        self.used.add(name)
        self.parameters.append(
            Parameter(name=name, declared=f"{ctype} {name}", dtype=DTYPES[ctype], pointer=False)
        )
        return name

    def size(self) -> str:
        """Add a parameter that is a size: mostly an int."""
        return self.scalar(self.random.choice(("int",) * 8 + ("long", "unsigned", "short", "size_t")))

    def array(self, ctype: str, *, const: bool = True, row: str = "") -> str:
        """Add an array: its elements, or rows of constant length."""
        name = self.fresh(_ARRAYS)
        qualified = f"const {ctype}" if const else ctype
        declared = f"{qualified} {name}[][{row}]" if row else f"{qualified} *{name}"
        self.parameters.append(Parameter(name=name, declared=declared, dtype=DTYPES[ctype], pointer=True))
        return name

    def out(self, ctype: str) -> str:
        """Add an array that is written."""
        return self.array(ctype, const=False)

    def loops(self, bounds: Sequence[tuple[str, str]], body: str, *, shuffled: bool = False) -> str:
        """Return a nest of counted loops from 0; in any order where that is asked for."""
        order = list(bounds)
        if shuffled:
            self.random.shuffle(order)
        text = body
        for name, bound in reversed(order):
            step = self.choose(f"{name}++", f"++{name}", f"{name} += 1")
            head = f"for (int {name} = 0; {name} < {bound}; {step})"
            text = f"{head} {{\n{text}\n}}" if self.chance(0.5) else f"{head}\n{text}"
        return text

    def distract(self) -> None:
        """Add what the function does not use: numbers, an array."""
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            name = self.scalar(self.choose("int", "int", "float"))
            whole = self.parameters[-1].dtype.startswith("i")
            self.extra[name] = (lambda r: np.int32(r.integers(0, 90))) if whole else (lambda r: np.float32(1))
        if self.chance(0.2):
            name = self.array(self.random.choice(NUMBERS))
            dtype = self.parameters[-1].dtype
            self.extra[name] = lambda r: np.zeros(0, dtype)

    def done(self, body: str, drawn: Callable[[Draw], Values], *, returns: str = "void") -> Known:
        """Return the function."""
        self.distract()
        self.random.shuffle(self.parameters)
        parameters, extra = tuple(self.parameters), dict(self.extra)
        name = f"{self.kind}_{self.number}"
        dtypes = {item.name: item.dtype for item in parameters}

        def values(random: Draw) -> Values:
            made = drawn(random) | {key: make(random) for key, make in extra.items()}
            return {
                key: value if isinstance(value, bytes) or not dtypes[key] else _typed(value, dtypes[key])
                for key, value in made.items()
            }

        leaf = {"float": "f", "double": "d", "void": ""}.get(returns, "b")
        header = f"{returns} {name}({', '.join(item.declared for item in parameters)})"
        return Known(
            kind=self.kind,
            name=name,
            types=self.types,
            header=header,
            body=f"{{\n{body}\n}}",
            parameters=parameters,
            returned=leaf,
            drawn=values,
            unused=frozenset(extra),
        )


def _typed(value: Value | int | float, dtype: str) -> Value:
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value.astype(dtype)).ravel()
    return np.dtype(dtype).type(value)


def small(r: Draw, least: int = 0) -> int:
    """Return a size: often one to a dozen, sometimes none, sometimes some dozens."""
    kind = r.integers(0, 10)
    if kind == 0:
        return least
    if kind < 7:
        return int(r.integers(max(1, least), 13))
    return int(r.integers(max(2, least), 70))


def tiny(r: Draw, least: int = 0) -> int:
    """Return a size for the outer ones of several."""
    return max(least, int(r.choice((0, *(1, 2, 3, 4, 5) * 3))))


def numbers(r: Draw, count: int) -> np.ndarray:
    """Return small whole numbers, sums and products of which are exact."""
    return r.integers(-8, 9, size=max(count, 0))


def below(r: Draw, bound: int, count: int) -> np.ndarray:
    """Return indices below a bound; often the greatest is among them."""
    found = r.integers(0, max(bound, 1), size=max(count, 0))
    if bound and count and r.integers(0, 2):
        found[r.integers(0, count)] = bound - 1
    return found


def reach(*indices: np.ndarray | int) -> int:
    """Return how many elements an array needs for these subscripts; none for no subscript."""
    tops = [int(np.max(item)) + 1 for item in indices if np.size(item)]
    return max(tops, default=0)


def outer(*counts: int) -> list[np.ndarray]:
    """Return all combinations of counters, as one array a counter."""
    return [item.ravel() for item in np.meshgrid(*(np.arange(max(n, 0)) for n in counts), indexing="ij")]
