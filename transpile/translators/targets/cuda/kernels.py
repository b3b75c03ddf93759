"""A band of parallel loops as a kernel of CUDA: its threads take the place of the iterations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit, apply_outermost
from transpile.code.syntax import (
    INDENT,
    Function,
    indentation,
    inside,
    quoted,
    reindent,
    source,
    unparenthesized,
)
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.dependence.accesses import Access
from transpile.translators.loops.iteration.nests import Loop, ended
from transpile.translators.loops.iteration.trips import count, some, tight, value
from transpile.translators.loops.planning.bins import Bins
from transpile.translators.loops.planning.updates import amount, updates
from transpile.translators.loops.reductions.reductions import ADDED, Gathered
from transpile.translators.loops.reductions.scalars import read_behind
from transpile.translators.loops.symbols.types import wraps
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.blocks import MOST as MOST_WITH_COPIES
from transpile.translators.targets.cuda.blocks import Copies
from transpile.translators.targets.cuda.declarations import declared, element, is_array
from transpile.translators.targets.cuda.lasts import can_hand_out, handed_out
from transpile.translators.targets.cuda.lengths import definition, lengths
from transpile.translators.targets.cuda.refusals import refuse_host_memory

AXES = "xyz"
THREADS = 256
"""Those of a block along one axis."""
MERGING_BLOCKS = 1024
"""Blocks that leave something to merge: no more than there may be threads in the one that merges it."""
ROUNDS = 2
"""Iterations of each of their threads at least: trials are short, and are to see more than one."""
MOST_AT_ONCE = ROUNDS * THREADS * MERGING_BLOCKS
"""Iterations beyond which their threads have more."""
BLOCKS = {1: (THREADS,), 2: (32, 8), 3: (32, 4, 2)}
"""Threads of a block along each axis."""
LAUNCHED = "check(cudaGetLastError());"
"""Tells whether the launches before it could be made."""
MOST = 65535
"""Blocks along every axis but the first."""


@dataclass(frozen=True, slots=True)
class Given:
    """What a kernel is given of the function's variables."""

    arrays: tuple[Variable, ...]
    """Arrays whose elements it touches, as device memory."""
    scalars: tuple[Variable, ...]
    totals: tuple[Variable, ...] = ()
    """Scalars of which it leaves what the host brings back, as device memory."""
    lengths: tuple[Variable, ...] = ()
    """Constants that its arrays are as long as."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return how a kernel declares all that."""
        return (
            *(declared(item, item.name, constant=True) for item in self.arrays),
            *(f"{item.type} {item.name}" for item in self.scalars),
            *(f"{item.type} *{item.name}_total" for item in self.totals),
        )

    @property
    def arguments(self) -> tuple[str, ...]:
        """Return what a launch passes for it: ``$x`` is the memory of an array ``x``."""
        return (
            *(f"${item.name}" for item in self.arrays),
            *(item.name for item in self.scalars),
            *(f"{item.name}_total" for item in self.totals),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A kernel, and how the host launches it."""

    name: str
    before: str = ""
    """What it needs beside helpers, or what is to be said of it."""
    helpers: tuple[str, ...] = ()
    """Functions of the device, which several kernels may share."""
    given: Given
    parameters: tuple[str, ...] = ()
    """What it is given beside."""
    body: str
    launch: str
    """The statements that launch it where it has something to do; arrays are spelled ``$x``."""
    tiled: bool = False

    @property
    def text(self) -> str:
        """Return its definition."""
        head = f"__global__ void {self.name}({', '.join((*self.given.parameters, *self.parameters))})"
        constants = "".join(f"{INDENT}{definition(item)}\n" for item in self.given.lengths)
        return f"{self.before}{head}\n{{\n{constants}{self.body}\n}}\n"


def kernel(
    function: Function,
    variables: Variables,
    band: Band,
    name: str,
    copied: Sequence[Bins] = (),
    types: frozenset[str] = ADDED,
) -> Kernel:
    """Return the kernel of a band; raises Refused.

    Args:
        function: Whose loops they are.
        variables: Those of the function.
        band: The loops.
        name: Of the kernel.
        copied: Arrays of which each block may have a copy.
        types: Those that atomic operations add.
    """
    copies = Copies(function, copied, types)
    loops = ordered(band)
    _refuse_wrapping(loops)
    if band.loops[0].lasts and not can_hand_out(band):
        raise Refused(SEQUENTIAL, read_behind(band.loops[0].lasts[0].variable))
    gathered = reductions(band, types)
    passed = given(band, variables, gathered)
    return Kernel(
        name=name,
        helpers=functions(gathered, name),
        given=passed,
        body=_threads(function, band, loops, name, gathered, copies, types),
        launch=launch(loops, name, passed, BLOCKS[len(loops)], most=MOST_WITH_COPIES if copies else 0),
    )


def _refuse_wrapping(loops: Sequence[Loop]) -> None:
    """Raise Refused where a thread beyond the last iteration may take its number for one within bounds."""
    for loop in loops:
        if wraps(loop.variable.bare, down=loop.step < 0):
            raise Refused(SEQUENTIAL, f"`{loop.variable.name}` may wrap around after the last iteration")


def reductions(band: Band, types: frozenset[str]) -> list[Gathered]:
    """Return what the threads of a band gather by atomic operations; raises Refused where none does it."""
    gathered = [Gathered(item, types) for item in band.loops[0].reductions]
    lacking = next((item for item in gathered if not item.possible), None)
    if lacking is not None:
        raise Refused(SEQUENTIAL, f"no atomic operation does the reduction of `{lacking.name}`")
    return gathered


def functions(gathered: Sequence[Gathered], name: str) -> tuple[str, ...]:
    """Return the functions of the device by which a kernel of some name gathers."""
    return tuple(dict.fromkeys(found for item in gathered if (found := item.function(name))))


def given(band: Band, variables: Variables, gathered: Sequence[Gathered]) -> Given:
    """Return what the threads of a band need of the function's variables; raises Refused."""
    used = from_outside(band.node, variables)
    refuse_host_memory(used, variables)
    totals = tuple(item.scalar.variable for item in gathered)
    totals += tuple(item.variable for item in band.loops[0].lasts)
    held = lengths(band.node, variables)
    own = [*private(band), *held, *totals]
    scalars = [item for item in used if not is_array(item) and item not in own and not _counts(item, band)]
    scalars += [item.scalar.variable for item in gathered if not item.empty]
    return Given(tuple(item for item in used if is_array(item)), tuple(scalars), totals, held)


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


def from_outside(node: Node, variables: Variables) -> list[Variable]:
    """Return the variables that a node, or a macro in it, uses and that it does not declare."""
    return [item for item in variables.needed_in(node) if not inside(item.declaration, node)]


def _counts(variable: Variable, band: Band) -> bool:
    return any(item.loop.variable is variable for item in band.loops)


def private(band: Band) -> list[Variable]:
    """Return the scalars that each thread needs as its own and that are declared outside of the loops."""
    found: dict[str, Variable] = {}
    for known in band.loops:
        for item in (*known.privates, *known.lasts):
            if not _counts(item.variable, band):
                found[item.variable.name] = item.variable
    for known in band.nest.loops:
        inner = known.loop.variable
        if inside(known.loop.node, band.inner.body) and not inside(inner.declaration, band.node):
            found[inner.name] = inner
    return list(found.values())


def _threads(
    function: Function,
    band: Band,
    loops: Sequence[Loop],
    name: str,
    gathered: Sequence[Gathered],
    copies: Copies,
    types: frozenset[str],
) -> str:
    """Return what a thread does: the iterations that are its own."""
    first, others = loops[0], [item.loop for item in band.loops if item.loop is not loops[0]]
    lines = [*begun(band, gathered), *copies.begun()]
    depth = 0
    if gathered or copies:
        lines.append(strided(first, "x"))
        depth = 1
    else:
        lines.append(f"const {type_of(first)} {first.variable.name} = {value(first, index(first, 'x'))};")
        lines.append(f"if ({compared(first, beyond=True)}) return;")
    for loop in others:
        lines.append(INDENT * depth + strided(loop, AXES[loops.index(loop)]))
        depth += 1
    inner = _body(function, band, copies, types, looped=depth > 0, indent=INDENT * (depth + 1))
    braced = depth > 0 and band.inner.body.type == "compound_statement"
    text = "\n".join(INDENT + line for line in lines) + (" " + inner.lstrip() if braced else "\n" + inner)
    text += "".join(f"\n{INDENT}{line}" for line in copies.ended())
    return "\n".join((text, *(INDENT + line for line in added(gathered, name))))


def index(loop: Loop, axis: str, *, thread: str = "") -> str:
    """Return the number of a thread's iteration, or of another thread's of the block, along an axis."""
    return f"{wide(loop)}blockIdx.{axis} * blockDim.{axis} + threadIdx.{thread or axis}"


def wide(loop: Loop) -> str:
    """Return what makes numbers of iterations as long as the loop's variable may be."""
    return "(size_t)" if "long" in loop.variable.bare else ""


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


def _body(
    function: Function, band: Band, copies: Copies, types: frozenset[str], *, looped: bool, indent: str
) -> str:
    """Return what one iteration does, as statements of a thread: in a loop, or alone."""
    node = band.inner.body
    edits = [*atomic(band, types, copies), *handed_out(function, band)]
    edits += [] if looped else ended(band.inner, "return;")
    text = apply_outermost(function.text, edits, node.start_byte, node.end_byte)
    if looped:
        moved = reindent(text, indentation(function.text, node.start_byte), indent[: -len(INDENT)])
        return (indent[: -len(INDENT)] if node.type == "compound_statement" else indent) + moved
    if node.type == "compound_statement":
        text = text.strip()[1:-1].strip("\n").rstrip()
        first = text[: len(text) - len(text.lstrip())].rpartition("\n")[2]
        return reindent(indent + text.lstrip(), first or indentation(function.text, node.start_byte), indent)
    return indent + reindent(text, indentation(function.text, node.start_byte), indent)


def atomic(band: Band, types: frozenset[str], copies: Copies | None = None) -> Iterator[Edit[str]]:
    """Yield updates of elements that several threads may make at once as atomic operations."""
    for access in updates(band):
        if access.update:  # of several stores of one value, any may be the last
            place = copies.place(access) if copies else source(access.node)
            yield _atomic_update(access, place, types)


def _atomic_update(access: Access, place: str, types: frozenset[str]) -> Edit[str]:
    variable, update = access.variable, access.node.parent
    kind = element(variable) if variable is not None else ""
    if access.update != "+" or kind not in types or update is None:
        raise Refused(SEQUENTIAL, f"no atomic operation does {quoted(update or access.node)}")
    return Edit(update.start_byte, update.end_byte, f"atomicAdd(&{place}, {amount(update)})")


def begun(band: Band, gathered: Sequence[Gathered]) -> Iterator[str]:
    """Yield the declarations of what each thread has of its own."""
    yield from (f"{item.type} {item.name};" for item in private(band))
    yield from (f"{item.type} {item.name} = 0;" for item in gathered if item.empty)


def added(gathered: Sequence[Gathered], kernel: str) -> list[str]:
    """Return the statements by which threads take what each has gathered into the totals."""
    if not gathered:
        return []
    lines = ["for (int offset = 16; offset > 0; offset /= 2) {"]
    for item in gathered:
        shuffled = f"__shfl_down_sync(0xffffffffu, {item.name}, offset)"
        if item.scalar.operator == "+":
            lines.append(f"{INDENT}{item.joined(shuffled)}")
            continue
        other = f"{item.name}_other"
        lines += [f"{INDENT}const {item.type} {other} = {shuffled};", f"{INDENT}{item.joined(other)}"]
    lines += ["}", "if (threadIdx.x % 32 == 0) {"]
    return [*lines, *(f"{INDENT}{item.stored(kernel)}" for item in gathered), "}"]


def launch(loops: Sequence[Loop], name: str, passed: Given, sizes: Sequence[int], *, most: int = 0) -> str:
    """Return the launch of a kernel in blocks of some size along the axes that its loops are.

    There are no more blocks than ``most`` if that is no 0.
    """
    counts = [count(loop) for loop in loops]
    blocks = [
        _blocks(number, size, axis) for axis, (number, size) in enumerate(zip(counts, sizes, strict=True))
    ]
    runs, arguments = " && ".join(dict.fromkeys(map(some, loops))), ", ".join(passed.arguments)
    if len(loops) == 1:
        few = f"{blocks[0]} < {most} ? {blocks[0]} : {most}" if most else blocks[0]
        configuration = f"{few}, {sizes[0]}"
        return f"if ({runs}) {name}<<<{configuration}>>>({arguments});\n{LAUNCHED}"
    return (
        f"if ({runs}) {{\n"
        f"{INDENT}const dim3 block({', '.join(map(str, sizes))});\n"
        f"{INDENT}const dim3 grid({', '.join(blocks)});\n"
        f"{INDENT}{name}<<<grid, block>>>({arguments});\n}}\n{LAUNCHED}"
    )


def _blocks(number: str, size: int, axis: int) -> str:
    blocks = f"({number} + {size - 1}) / {size}" if size > 1 else number
    return blocks if axis == 0 else f"{blocks} < {MOST} ? {blocks} : {MOST}"
