"""A band of parallel loops as a kernel of CUDA: its threads take the place of the iterations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.translators.loops.accesses import Access
from transpile.translators.loops.bins import Bins
from transpile.translators.loops.containers import elements
from transpile.translators.loops.cuda.blocks import MOST as MOST_WITH_COPIES
from transpile.translators.loops.cuda.blocks import Copies
from transpile.translators.loops.nests import Loop, ended
from transpile.translators.loops.plan import Alone, Band
from transpile.translators.loops.reductions import Gathered
from transpile.translators.loops.scalars import read_after
from transpile.translators.loops.trips import count, some, tight, value
from transpile.translators.loops.updates import amount, updates
from transpile.translators.rules.syntax import (
    INDENT,
    Edit,
    Function,
    apply,
    find,
    indentation,
    inside,
    reindent,
    source,
    unparenthesized,
)
from transpile.translators.rules.variables import Variable, Variables

AXES = "xyz"
BLOCKS = {1: (256,), 2: (32, 8), 3: (32, 4, 2)}
"""Threads of a block along each axis."""
_RESTRICT = ("restrict", "__restrict__", "__restrict")
MOST = 65535
"""Blocks along every axis but the first."""


class NoKernel(Exception):
    """A band cannot run on a device by these rules; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel, and how the host launches it."""

    name: str
    before: str
    """Functions of the device that it calls, or what is to be said of it."""
    parameters: tuple[str, ...]
    body: str
    arguments: tuple[str, ...]
    arrays: tuple[Variable, ...]
    """Parameters of the function whose elements it touches, as device memory."""
    reductions: tuple[Variable, ...]
    """Scalars that it adds to, as device memory."""
    launch: str
    """The condition of the launch and its configuration, as lines with ``ARGUMENTS`` in them."""
    tiled: bool = False

    @property
    def text(self) -> str:
        """Return its definition."""
        head = f"__global__ void {self.name}({', '.join(self.parameters)})"
        return f"{self.before}{head}\n{{\n{self.body}\n}}\n"


def kernel(
    function: Function, variables: Variables, band: Band, name: str, copied: Sequence[Bins] = ()
) -> Kernel:
    """Return the kernel of a band; raises NoKernel.

    Args:
        function: Whose loops they are.
        variables: Those of the function.
        band: The loops.
        name: Of the kernel.
        copied: Arrays of which each block may have a copy.
    """
    copies = Copies(function, copied, _ADDED)
    loops = ordered(band)
    used = _from_outside(band.node, variables)
    arrays = tuple(item for item in used if item.pointer and item.parameter)
    _refuse_host_memory(used)
    gathered = [Gathered(item) for item in band.loops[0].reductions]
    if not all(item.possible for item in gathered):
        raise NoKernel("a reduction that no atomic operation does")
    reductions = tuple(item.scalar.variable for item in gathered)
    own = private(band)
    passed = [
        item
        for item in used
        if not item.pointer and item not in own and item not in reductions and not _counts(item, band)
    ]
    passed += [item.scalar.variable for item in gathered if not item.empty]
    parameters = [_parameter(item) for item in arrays] + [f"{item.type} {item.name}" for item in passed]
    parameters += [f"{item.type} *{item.name}_total" for item in reductions]
    functions = dict.fromkeys(found for item in gathered if (found := item.function(name)))
    return Kernel(
        name=name,
        before="".join(f"{item}\n" for item in functions),
        parameters=tuple(parameters),
        body=_threads(function, band, loops, name, own, gathered, copies),
        arguments=tuple(item.name for item in (*arrays, *passed)),
        arrays=arrays,
        reductions=reductions,
        launch=launch(loops, name, BLOCKS[len(loops)], most=MOST_WITH_COPIES if copies else 0),
    )


def single(function: Function, variables: Variables, part: Band | Alone, name: str, reason: str) -> Kernel:
    """Return loops as the work of one thread, the last resort; raises NoKernel."""
    if part.nest.reason:
        raise NoKernel(part.nest.reason)
    node = part.node
    used = _from_outside(node, variables)
    arrays = tuple(item for item in used if item.pointer and item.parameter)
    _refuse_host_memory(used)
    passed = [item for item in used if not item.pointer]
    for item in passed:
        if any(inside(write, node) for write in item.writes) and read_after(item, node):
            raise NoKernel(f"the host reads what the loops leave in `{item.name}`")
    for jump in find(node, "return_statement"):
        if function.body.named_children[-1].id != node.id or jump.named_children:
            raise NoKernel("the loops end the function")
    parameters = [_parameter(item) for item in arrays] + [f"{item.type} {item.name}" for item in passed]
    moved = reindent(
        apply(function.text, (), node.start_byte, node.end_byte),
        indentation(function.text, node.start_byte),
        INDENT,
    )
    return Kernel(
        name=name,
        before=f"// One thread alone: {reason}.\n",
        parameters=tuple(parameters),
        body=INDENT + moved,
        arguments=tuple(item.name for item in (*arrays, *passed)),
        arrays=arrays,
        reductions=(),
        launch=f"{name}<<<1, 1>>>(ARGUMENTS);",
    )


def _refuse_host_memory(used: Sequence[Variable]) -> None:
    for item in used:
        if (item.pointer and not item.parameter) or item.array or elements(item) is not None:
            raise NoKernel(f"`{item.name}` is memory of the host")
        if item.parameter and item.pointer and "[" in source(item.declaration).partition("[")[2]:
            raise NoKernel(f"`{item.name}` is an array of arrays")


_ADDED = frozenset(("int", "unsigned", "unsigned int", "float", "double", "unsigned long long"))


def ordered(band: Band) -> list[Loop]:
    """Return the loops of a band by axis, x first: the one whose neighbours touch neighbouring elements."""
    loops = [item.loop for item in reversed(band.loops)]
    return sorted(loops, key=lambda loop: -_neighbouring(loop, band))


def _neighbouring(loop: Loop, band: Band) -> int:
    return sum(
        any(monomial == (loop.dimension,) and abs(number) == 1 for monomial, number in subscript.items())
        for access in band.nest.accesses
        if inside(access.node, band.node) and (subscript := access.subscripts[-1]) is not None
    )


def _from_outside(node: Node, variables: Variables) -> list[Variable]:
    """Return the variables that a node uses and does not declare."""
    return [item for item in variables.used_in(node) if not inside(item.declaration, node)]


def _counts(variable: Variable, band: Band) -> bool:
    return any(item.loop.variable is variable for item in band.loops)


def private(band: Band) -> list[Variable]:
    """Return the scalars that each thread needs as its own and that are declared outside of the loops."""
    found: dict[str, Variable] = {}
    for known in band.loops:
        for item in known.privates:
            if not _counts(item.variable, band):
                found[item.variable.name] = item.variable
    for known in band.nest.loops:
        inner = known.loop.variable
        if inside(known.loop.node, band.inner.body) and not inside(inner.declaration, band.node):
            found[inner.name] = inner
    return list(found.values())


def element(variable: Variable, *, constant: bool = False) -> str:
    """Return the type of what a pointer leads to; its ``const`` only where that is asked for."""
    dropped = _RESTRICT if constant else (*_RESTRICT, "const")
    return " ".join(word for word in variable.type.split() if word not in dropped)


def _parameter(variable: Variable) -> str:
    return f"{element(variable, constant=True)} *{variable.name}"


def _threads(
    function: Function,
    band: Band,
    loops: Sequence[Loop],
    name: str,
    own: Sequence[Variable],
    reductions: Sequence[Gathered],
    copies: Copies,
) -> str:
    """Return what a thread does: the iterations that are its own."""
    first, others = loops[0], [item.loop for item in band.loops if item.loop is not loops[0]]
    lines = [f"{item.type} {item.name};" for item in own]
    lines += [f"{item.type} {item.name} = 0;" for item in reductions if item.empty]
    lines += copies.begun()
    depth = 0
    if reductions or copies:
        lines.append(strided(first, "x"))
        depth = 1
    else:
        lines.append(f"const {type_of(first)} {first.variable.name} = {value(first, index(first, 'x'))};")
        lines.append(f"if ({compared(first, beyond=True)}) return;")
    for loop in others:
        lines.append(INDENT * depth + strided(loop, AXES[loops.index(loop)]))
        depth += 1
    inner = _body(function, band, copies, looped=depth > 0, indent=INDENT * (depth + 1))
    braced = depth > 0 and band.inner.body.type == "compound_statement"
    text = "\n".join(INDENT + line for line in lines) + (" " + inner.lstrip() if braced else "\n" + inner)
    text += "".join(f"\n{INDENT}{line}" for line in copies.ended())
    if reductions:
        text += "\n" + _added(reductions, name)
    return text


def index(loop: Loop, axis: str, *, thread: str = "") -> str:
    """Return the number of a thread's iteration, or of another thread's of the block, along an axis."""
    return f"{wide(loop)}blockIdx.{axis} * blockDim.{axis} + threadIdx.{thread or axis}"


def wide(loop: Loop) -> str:
    """Return what makes numbers of iterations as long as the loop's variable may be."""
    return "(size_t)" if "long" in loop.variable.type or "size_t" in loop.variable.type else ""


def type_of(loop: Loop) -> str:
    """Return the type of a loop's variable, without what only its declaration needs."""
    return loop.variable.type.replace("const ", "").replace("register ", "")


def strided(loop: Loop, axis: str) -> str:
    """Return the head of a loop over every so-manieth iteration, as many as threads stand along an axis."""
    name, step = loop.variable.name, abs(loop.step)
    move = f"gridDim.{axis} * blockDim.{axis}" if step == 1 else f"{step} * gridDim.{axis} * blockDim.{axis}"
    sign = "+=" if loop.step > 0 else "-="
    start = value(loop, index(loop, axis))
    return f"for ({type_of(loop)} {name} = {start}; {compared(loop)}; {name} {sign} {move})"


def compared(loop: Loop, name: str = "", *, beyond: bool = False) -> str:
    """Return that the loop's variable, or another one in its place, is within its bound, or beyond it."""
    sign = "<" if (loop.step > 0) != beyond else ">"
    bound = tight(source(unparenthesized(loop.bound)))
    return f"{name or loop.variable.name} {sign}{'=' * (loop.inclusive != beyond)} {bound}"


def _body(function: Function, band: Band, copies: Copies, *, looped: bool, indent: str) -> str:
    """Return what one iteration does, as statements of a thread: in a loop, or alone."""
    node = band.inner.body
    edits = [*_atomic(band, copies), *(() if looped else ended(band.inner, "return;"))]
    text = apply(function.text, edits, node.start_byte, node.end_byte)
    if looped:
        moved = reindent(text, indentation(function.text, node.start_byte), indent[: -len(INDENT)])
        return (indent[: -len(INDENT)] if node.type == "compound_statement" else indent) + moved
    if node.type == "compound_statement":
        text = text.strip()[1:-1].strip("\n").rstrip()
        first = text[: len(text) - len(text.lstrip())].rpartition("\n")[2]
        return reindent(indent + text.lstrip(), first or indentation(function.text, node.start_byte), indent)
    return indent + reindent(text, indentation(function.text, node.start_byte), indent)


def _atomic(band: Band, copies: Copies) -> Iterator[Edit]:
    """Yield updates of elements that several threads may make at once as atomic operations."""
    for access in updates(band):
        yield _atomic_update(access, copies.place(access))


def _atomic_update(access: Access, place: str) -> Edit:
    variable, update = access.variable, access.node.parent
    kind = element(variable) if variable is not None else ""
    if access.update != "+" or kind not in _ADDED or update is None:
        raise NoKernel("an update of an element that no atomic operation does")
    return Edit(update.start_byte, update.end_byte, f"atomicAdd(&{place}, {amount(update)})")


def _added(reductions: Sequence[Gathered], kernel: str) -> str:
    lines = ["for (int offset = 16; offset > 0; offset /= 2) {"]
    for item in reductions:
        shuffled = f"__shfl_down_sync(0xffffffffu, {item.name}, offset)"
        if item.scalar.operator == "+":
            lines.append(f"{INDENT}{item.joined(shuffled)}")
            continue
        other = f"{item.name}_other"
        lines += [f"{INDENT}const {item.type} {other} = {shuffled};", f"{INDENT}{item.joined(other)}"]
    lines += ["}", "if (threadIdx.x % 32 == 0) {"]
    lines += [f"{INDENT}{item.stored(kernel)}" for item in reductions]
    return "\n".join(INDENT + line for line in [*lines, "}"])


def launch(loops: Sequence[Loop], name: str, sizes: Sequence[int], *, most: int = 0) -> str:
    """Return the launch of a kernel in blocks of some size along the axes that its loops are.

    There are no more blocks than ``most`` if that is no 0.
    """
    counts = [count(loop) for loop in loops]
    blocks = [
        _blocks(number, size, axis) for axis, (number, size) in enumerate(zip(counts, sizes, strict=True))
    ]
    runs = " && ".join(some(loop) for loop in loops)
    if len(loops) == 1:
        few = f"{blocks[0]} < {most} ? {blocks[0]} : {most}" if most else blocks[0]
        configuration = f"{few}, {sizes[0]}"
        return f"if ({runs}) {name}<<<{configuration}>>>(ARGUMENTS);"
    return (
        f"if ({runs}) {{\n"
        f"{INDENT}const dim3 block({', '.join(map(str, sizes))});\n"
        f"{INDENT}const dim3 grid({', '.join(blocks)});\n"
        f"{INDENT}{name}<<<grid, block>>>(ARGUMENTS);\n}}"
    )


def _blocks(number: str, size: int, axis: int) -> str:
    blocks = f"({number} + {size - 1}) / {size}" if size > 1 else number
    return blocks if axis == 0 else f"{blocks} < {MOST} ? {blocks} : {MOST}"
