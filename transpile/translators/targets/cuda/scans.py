"""Running sums and compactions as kernels of CUDA: blocks add up, and then begin with what those before have.

Each block has as many iterations in a row as the others; it goes through them in rounds of one for a thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.names import free_name
from transpile.code.syntax import Function, block_statements, source
from transpile.code.types import canonical
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.places import continues
from transpile.translators.loops.iteration.trips import count, some, value
from transpile.translators.loops.reductions.compactions import Compaction
from transpile.translators.loops.reductions.counting import counted
from transpile.translators.loops.reductions.reductions import Gathered
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.reductions.scans import Scan
from transpile.translators.loops.symbols.lines import deeper, lines_of
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.kernels import (
    LAUNCHED,
    MERGING_BLOCKS,
    MOST_AT_ONCE,
    ROUNDS,
    THREADS,
    Given,
    Kernel,
    added,
    begun,
    functions,
    given,
    private,
    reductions,
    type_of,
)

_AHEAD = """\
// What the threads of a block ahead of this one have together; `sum` is what all have.
static __device__ {type} {ahead}({type} own, {type} *sum)
{{
    __shared__ {type} warps[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    {type} within = own;
    for (unsigned offset = 1; offset < 32; offset *= 2) {{
        const {type} other = __shfl_up_sync(0xffffffffu, within, offset);
        if (lane >= offset) within += other;
    }}
    if (lane == 31) warps[warp] = within;
    __syncthreads();
    {type} before = __shfl_up_sync(0xffffffffu, within, 1);
    if (lane == 0) before = 0;
    *sum = 0;
    for (unsigned other = 0; other < blockDim.x / 32; other++) {{
        if (other == warp) before += *sum;
        *sum += warps[other];
    }}
    __syncthreads();
    return before;
}}
"""
_BEFORE = """\
// What each block begins with.
__global__ void {name}_before({type} begun, unsigned blocks, {type} *parts)
{{
    {type} own = threadIdx.x < blocks ? parts[threadIdx.x] : 0, sum;
    own = begun + {ahead}(own, &sum);
    if (threadIdx.x < blocks) parts[threadIdx.x] = own;
}}
"""
_LAUNCH = """\
if ({some}) {{
    const size_t {count} = {iterations}, {rounds} = ({count} + {most} - 1) / {most} * {least};
    const unsigned {blocks} = ({count} + {threads} * {rounds} - 1) / ({threads} * {rounds});
    {type} *{parts};
    check(cudaMalloc(&{parts}, sizeof({type}) * ({blocks} + 1)));
    {name}_parts<<<{blocks}, {threads}>>>({of_parts});
    {name}_before<<<1, {most_blocks}>>>({sum}, {blocks}, {parts});
    {name}<<<{blocks}, {threads}>>>({of_all});
    {launched}{brought}
    check(cudaFree({parts}));
}}"""
_BROUGHT = """
    check(cudaMemcpy(&{sum}, {parts} + {blocks}, sizeof({type}), cudaMemcpyDeviceToHost));"""


def scanning(
    function: Function, variables: Variables, band: Band, name: str, types: frozenset[str]
) -> Kernel:
    """Return the kernel of a loop that keeps a running sum; raises Refused."""
    running = band.loops[0].found(Scan)
    assert running is not None
    if "long double" in running.variable.type:
        raise Refused(SEQUENTIAL, f"`{running.variable.name}` is a `long double`, which devices do not have")
    if running.operator != "+":
        raise Refused(
            SEQUENTIAL, f"`{running.variable.name}` is a running minimum or maximum, not a running sum"
        )
    part = [line for item in running.step for line in lines_of(function, item)]
    return _handed_on(function, variables, band, name, _Part(running.variable, part, running.step), types)


def appending(
    function: Function, variables: Variables, band: Band, name: str, types: frozenset[str]
) -> Kernel:
    """Return the kernel of a loop that appends elements behind a counter; raises Refused."""
    found = band.loops[0].found(Compaction)
    assert found is not None
    if found.pushes or len(found.counters) > 1:
        raise Refused(SEQUENTIAL, "iterations append by several counters, or to a container")
    if continues(band.node):
        raise Refused(SEQUENTIAL, "iterations that end early would skip a barrier of their block")
    counts = {item.statement.id: f"{source(item.node)};" for item in found.steps}
    part = list(counted(function, found.slice, counts, band.outer.body))
    return _handed_on(
        function, variables, band, name, _Part(found.counters[0], part, found.slice.again), types
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What an iteration adds to a number that those behind it begin with."""

    variable: Variable
    lines: Sequence[str]
    """Statements that add it, and no more."""
    nodes: Sequence[Node]
    """What of the source these come from."""


def _handed_on(
    function: Function, variables: Variables, band: Band, name: str, part: _Part, types: frozenset[str]
) -> Kernel:
    """Return the kernel of a loop whose iterations begin with what those before them add."""
    gathered = reductions(band, types)
    passed = given(band, variables, gathered)
    of_part = _used(passed, variables, part, (band.outer.first, *part.nodes))
    of_all = _used(passed, variables, part, (band.outer.first, band.inner.body))
    own = {item for node in part.nodes for item in variables.used_in(node)}
    needed = [item for item in private(band) if item in own]
    made = _Scan(function, band, part, needed, name, gathered)
    return Kernel(
        name=name,
        before=f"{made.parts(of_part).text}\n{made.before}\n",
        helpers=(made.helper, *functions(gathered, name)),
        given=of_all,
        parameters=made.parameters,
        body=made.body,
        launch=made.launch(of_part, of_all),
    )


def _used(passed: Given, variables: Variables, part: _Part, nodes: Iterable[Node]) -> Given:
    """Return what of a loop's variables parts of it use, but for the sum."""
    used = {item for node in nodes for item in variables.used_in(node)} - {part.variable}
    return Given(
        tuple(item for item in passed.arrays if item in used),
        tuple(item for item in passed.scalars if item in used),
        tuple(item for item in passed.totals if item in used),
    )


@dataclass(frozen=True, slots=True)
class _Scan:
    """A loop whose iterations hand a number on."""

    function: Function
    band: Band
    part: _Part
    needed: Sequence[Variable]
    """What each thread needs of its own to add its part."""
    name: str
    """Of the kernel that does all that the loop does."""
    gathered: list[Gathered]

    @property
    def helper(self) -> str:
        """Return the function of the device that adds up over a block."""
        return _AHEAD.format(type=self._type, ahead=self._ahead)

    @property
    def before(self) -> str:
        """Return the kernel by which parts of blocks become what each begins with."""
        return _BEFORE.format(name=self.name, type=self._type, ahead=self._ahead)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return what kernels are given beside variables of the function."""
        count, rounds, parts = (self._free(item) for item in ("count", "rounds", "parts"))
        return (f"size_t {count}", f"size_t {rounds}", f"{self._type} *{parts}")

    def parts(self, passed: Given) -> Kernel:
        """Return the kernel in which blocks add up."""
        own, parts, total = self._sum, self._free("parts"), self._free("total")
        inner = [
            *(f"{item.type} {item.name};" for item in self.needed),
            f"{self._type} {own} = 0, {total};",
            *self._rounds(self._iteration(self.part.lines)),
            f"{self._ahead}({own}, &{total});",
            f"if (threadIdx.x == 0) {parts}[blockIdx.x] = {total};",
        ]
        return Kernel(
            name=f"{self.name}_parts",
            before="// What each block adds.\n",
            given=passed,
            parameters=self.parameters,
            body="\n".join(deeper(inner)),
            launch="",
        )

    @property
    def body(self) -> str:
        """Return what threads do: what an iteration adds, then all of it with what is ahead."""
        own, before = self._sum, self._free(f"{self._sum}_before")
        total, parts = self._free("total"), self._free("parts")
        inner = [
            *begun(self.band, self.gathered),
            f"{self._type} {before} = {parts}[blockIdx.x];",
            *self._rounds(
                [
                    f"{self._type} {own} = 0, {total};",
                    *self._iteration(self.part.lines),
                    f"{own} = {before} + {self._ahead}({own}, &{total});",
                    f"{before} += {total};",
                    *self._iteration((*self._all(), *self._left())),
                ]
            ),
            *added(self.gathered, self.name),
        ]
        return "\n".join(deeper(inner))

    def launch(self, of_step: Given, of_all: Given) -> str:
        """Return the statements that launch the kernels, and bring back the sum where it is read."""
        names = {wish: self._free(wish) for wish in ("count", "rounds", "blocks", "parts")}
        own = [names["count"], names["rounds"], names["parts"]]
        names |= {"sum": self._sum, "type": self._type}
        return _LAUNCH.format(
            **names,
            name=self.name,
            launched=LAUNCHED,
            some=some(self.band.outer),
            iterations=count(self.band.outer),
            threads=THREADS,
            most=MOST_AT_ONCE,
            least=ROUNDS,
            most_blocks=MERGING_BLOCKS,
            of_parts=", ".join((*of_step.arguments, *own)),
            of_all=", ".join((*of_all.arguments, *own)),
            brought=_BROUGHT.format(**names) if self._read_after else "",
        )

    def _rounds(self, inner: Iterable[str]) -> Iterator[str]:
        """Yield the loop in which a block goes through its iterations."""
        round_, rounds, number = (self._free(item) for item in ("round", "rounds", "number"))
        yield f"for (size_t {round_} = 0; {round_} < {rounds}; {round_}++) {{"
        yield from deeper(
            [
                f"const size_t {number} = (blockIdx.x * {rounds} + {round_}) * blockDim.x + threadIdx.x;",
                *inner,
            ]
        )
        yield "}"

    def _all(self) -> Iterator[str]:
        """Yield the statements of the source's loop."""
        for item in block_statements(self.band.inner.body):
            yield from lines_of(self.function, item)

    def _iteration(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield statements for a thread that has an iteration."""
        loop, number = self.band.outer, self._free("number")
        yield f"if ({number} < {self._free('count')}) {{"
        yield from deeper([f"const {type_of(loop)} {loop.variable.name} = {value(loop, number)};"])
        yield from deeper(lines)
        yield "}"

    def _left(self) -> Iterator[str]:
        """Yield the statement by which the last iteration leaves the sum."""
        if self._read_after:
            last = f"{self._free('number')} == {self._free('count')} - 1"
            yield f"if ({last}) {self._free('parts')}[gridDim.x] = {self._sum};"

    @property
    def _read_after(self) -> bool:
        return read_after(self.part.variable, self.band.node)

    @property
    def _sum(self) -> str:
        return self.part.variable.name

    @property
    def _type(self) -> str:
        return self.part.variable.type

    @property
    def _ahead(self) -> str:
        """Return the name of the helper; sums of one type in one function share it."""
        owner = self.function.name.rpartition("::")[2]
        return "_".join((owner, "ahead", *canonical(self._type).replace("::", " ").split()))

    def _free(self, wish: str) -> str:
        return free_name(self.function.identifiers, wish)
