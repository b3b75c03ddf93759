"""Names of the launch quantities in the port of a kernel whose blocks are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as made

from tree_sitter import Node

from transpile.code.comments import code
from transpile.code.edits import Edit
from transpile.code.names import free_name
from transpile.code.polynomial import LAUNCH, launch_name
from transpile.code.syntax import Function, ancestors, field, operator, replace, source, walk
from transpile.translators.kernels.types import normal

_WISHES = {"threadIdx": "thread", "blockIdx": "block", "blockDim": "threads", "gridDim": "blocks"}
_ARITHMETIC = frozenset(["+", "-", "*"])
_PARTNERS = {"threadIdx": "blockDim", "blockIdx": "gridDim", "blockDim": "threadIdx", "gridDim": "blockIdx"}


@dataclass(slots=True)
class LaunchNames:
    """Names and types for the coordinates and sizes of a launch."""

    names: dict[str, str]
    types: dict[str, str]
    axes: dict[str, str]
    """Axes that the kernel mentions of blocks and of threads, outermost first."""
    used: set[str] = made(default_factory=set)
    """Quantities that were asked for; sizes among them become parameters."""

    @classmethod
    def choose(
        cls, function: Function, variables: dict[str, tuple[str, str]], needed: frozenset[str] = frozenset()
    ) -> LaunchNames:
        """Choose names; variables give name and type by quantity where the kernel has its own.

        ``needed`` holds quantities that count although the kernel does not mention them.
        """
        mentioned = {".".join(match.groups()) for match in LAUNCH.finditer(code(function.text))} | needed
        axes = {
            "thread": "".join(a for a in "zyx" if {f"threadIdx.{a}", f"blockDim.{a}"} & mentioned),
            "block": "".join(a for a in "zyx" if {f"blockIdx.{a}", f"gridDim.{a}"} & mentioned),
        }
        unsigned, wide = set(_needing_unsigned(function)), set(_widened(function))
        # An index and the size that it counts up to are compared.
        unsigned |= {_PARTNERS[q[:-2]] + q[-2:] for q in unsigned - variables.keys()}
        names: dict[str, str] = {}
        types: dict[str, str] = {}
        for base, word in _WISHES.items():
            group = axes["thread" if base in ("threadIdx", "blockDim") else "block"]
            for axis in group:
                quantity = f"{base}.{axis}"
                own = variables.get(quantity)
                plain = word if group == "x" else f"{word}_{axis}"
                taken = function.identifiers | set(names.values())
                if own is None and base == "threadIdx":
                    wishes = ("t", "tid", plain) if group == "x" else (f"t{axis}", plain)
                else:
                    wishes = (plain, f"{plain}_count" if base.endswith("Dim") else f"{plain}_index")
                names[quantity] = own[0] if own is not None else free_name(taken, *wishes)
                kind = "unsigned" if quantity in unsigned else "long long" if quantity in wide else "int"
                types[quantity] = own[1] if own is not None else kind
        return cls(names, types, axes)

    def of(self, quantity: str) -> str:
        """Return the name of a quantity such as ``blockDim.x``, noting that it is needed."""
        self.used.add(quantity)
        return self.names[quantity]

    def edits(self, node: Node, zero: bool = False) -> Iterator[Edit[str]]:
        """Yield the edits that name the quantities below a node; zero stands for every thread index."""
        for item in walk(node):
            quantity = launch_name(item)
            if quantity is not None:
                first = zero and quantity.startswith("threadIdx")
                yield replace(item, "0" if first else self.of(quantity))

    @property
    def lane_index(self) -> str:
        """Return the place of a thread in its block, counted along x first."""
        axes = self.axes["thread"]
        if not axes:
            return "0"
        text = self.names[f"threadIdx.{axes[0]}"]
        for axis in axes[1:]:
            inner = f"({text})" if "+" in text else text
            text = f"{inner} * {self.of(f'blockDim.{axis}')} + {self.names[f'threadIdx.{axis}']}"
        return text

    @property
    def block_size(self) -> str:
        """Return the number of threads in a block."""
        return " * ".join(self.of(f"blockDim.{axis}") for axis in reversed(self.axes["thread"])) or "1"

    def parameters(self) -> list[tuple[str, str]]:
        """Return the parameters for the sizes that were asked for, with their values at a launch."""
        order = [f"{base}.{axis}" for base in ("gridDim", "blockDim") for axis in "xyz"]
        return [(f"{self.types[q]} {self.names[q]}", q) for q in order if q in self.used]


def _needing_unsigned(function: Function) -> Iterator[str]:
    """Yield the quantities whose unsigned arithmetic can be seen.

    A launch quantity is unsigned. In sums and products that end up in an int or an index, int gives the same;
    a difference that is compared, divided or widened does not.
    """
    for node in walk(function.body):
        quantity = launch_name(node)
        if quantity is None:
            continue
        top = node
        minus = False
        for parent in ancestors(node):
            if parent.type == "parenthesized_expression":
                top = parent
                continue
            if parent.type != "binary_expression" or operator(parent) not in _ARITHMETIC:
                break
            minus = minus or operator(parent) == "-"
            top = parent
        consumer = top.parent
        if minus and consumer is not None and not _wraps_back(consumer):
            yield quantity


def _widened(function: Function) -> Iterator[str]:
    """Yield the places of blocks that stand in a product which becomes a number of 64 bits.

    Unsigned products reach twice as far as those of int: an index that takes 64 bits expects that, and more.
    """
    for node in walk(function.body):
        quantity = launch_name(node)
        if quantity is None or not quantity.startswith("blockIdx"):
            continue
        product = False
        for parent in ancestors(node):
            if parent.type == "binary_expression" and operator(parent) in _ARITHMETIC:
                product = product or operator(parent) == "*"
            elif parent.type != "parenthesized_expression":
                declaration = parent.parent
                if product and parent.type == "init_declarator" and declaration is not None:
                    kind = normal(source(field(declaration, "type")))
                    if kind is not None and kind.endswith("long"):
                        yield quantity
                break


def _wraps_back(consumer: Node) -> bool:
    """Tell whether the value goes where int and unsigned arithmetic agree."""
    if consumer.type == "subscript_argument_list":
        return True
    if consumer.type == "init_declarator":
        declaration = consumer.parent
        text = source(declaration) if declaration is not None else ""
        return text.removeprefix("const ").startswith(("int ", "unsigned ", "uint "))
    return consumer.type == "cast_expression" and source(consumer).startswith("(int)")
