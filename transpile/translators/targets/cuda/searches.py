"""Places of extreme numbers as kernels of CUDA: threads look, and blocks and a last kernel merge.

Of two findings the one counts that the source would have kept, whatever the order in which they meet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transpile.code.names import free_name
from transpile.code.syntax import Function, block_statements
from transpile.code.variables import Variables
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.iteration.trips import count, some, value
from transpile.translators.loops.reductions.extremes import Extreme, Extremes
from transpile.translators.loops.reductions.reductions import Gathered
from transpile.translators.loops.symbols.lines import deeper, lines_of
from transpile.translators.loops.symbols.types import is_number
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
    atomic,
    begun,
    functions,
    given,
    reductions,
    type_of,
)

_MERGES = """\
struct {found} {{
{fields}
}};

// Of equal numbers the one with the {preferred} `{place}` counts.
static __device__ {found} {found}_better({found} {own}, {found} {other}{context})
{{
{better}
}}

// What counts of all that a block found: its first thread is told.
static __device__ {found} {found}_of_block({found} {own}{context})
{{
    __shared__ {found} {warps}[32];
    for (int {offset} = 16; {offset} > 0; {offset} /= 2) {{
        {found} {other};
{shuffles}
        {own} = {found}_better({own}, {other}{names});
    }}
    if (threadIdx.x % 32 == 0) {warps}[threadIdx.x / 32] = {own};
    __syncthreads();
    for (unsigned {warp} = 1; threadIdx.x == 0 && {warp} < blockDim.x / 32; {warp}++)
        {own} = {found}_better({own}, {warps}[{warp}]{names});
    return {own};
}}

// What counts of all that blocks found goes to the place of the first.
__global__ void {found}_merge({found} *{all}, unsigned {blocks}{context})
{{
    {found} {own} = {all}[0];
    for (unsigned {block} = threadIdx.x; {block} < {blocks}; {block} += blockDim.x)
        {own} = {found}_better({own}, {all}[{block}]{names});
    {own} = {found}_of_block({own}{names});
    if (threadIdx.x == 0) {all}[0] = {own};
}}
"""
_NAMES = ("own", "other", "warp", "warps", "offset", "all", "block", "blocks")


def searching(
    function: Function, variables: Variables, band: Band, name: str, types: frozenset[str]
) -> Kernel:
    """Return the kernel of a loop that looks for extreme numbers and their places; raises Refused."""
    gathered = reductions(band, types)
    passed = given(band, variables, gathered)
    extremes = band.loops[0].found(Extremes)
    assert extremes is not None
    found = [_Finding(function, variables, passed, item, name) for item in extremes.all]
    return Kernel(
        name=name,
        before="".join(f"{item.merges}\n" for item in found),
        helpers=functions(gathered, name),
        given=passed,
        parameters=tuple(f"{item.type} *{item.memory}" for item in found),
        body=_body(function, band, name, gathered, found, types),
        launch=_launch(function, band, name, passed, found),
    )


class _Finding:
    """What threads find together, as a struct."""

    def __init__(
        self, function: Function, variables: Variables, passed: Given, extreme: Extreme, name: str
    ) -> None:
        """Take what one condition sets; raises Refused where a warp cannot hand it on."""
        for item in extreme.variables:
            kind = item.bare
            if kind == "longdouble" or (kind != "bool" and not is_number(kind)):
                raise Refused(SEQUENTIAL, f"warps cannot shuffle `{item.name}`, which is a `{item.type}`")
        self._extreme = extreme
        self._function = function
        self.type = f"{name}_{extreme.place.name}"
        self.memory = self._free(f"{extreme.place.name}_found")
        self.overall = self._free(f"{extreme.place.name}_overall")
        used = [item for item in variables.used_in(extreme.best) if item not in extreme.variables]
        self._context = Given(
            tuple(item for item in passed.arrays if item in used),
            tuple(item for item in passed.scalars if item in used),
        )

    @property
    def merges(self) -> str:
        """Return the struct, and how two, a block's and all findings become one."""
        names = {wish: self._free(wish) for wish in _NAMES}
        own, other, targets = names["own"], names["other"], self._extreme.variables
        handed = (
            f"{other}.{item.name} = __shfl_down_sync(0xffffffffu, {own}.{item.name}, {names['offset']});"
            for item in targets
        )
        context = self._context
        return _MERGES.format(
            **names,
            found=self.type,
            fields="\n".join(deeper(f"{item.type} {item.name};" for item in targets)),
            preferred="greater" if self._extreme.prefers_greater else "smaller",
            place=self._extreme.place.name,
            better="\n".join(deeper(self._better(own, other))),
            shuffles="\n".join(deeper(handed, 2)),
            context="".join(f", {item}" for item in context.parameters),
            names="".join(f", {item.name}" for item in (*context.arrays, *context.scalars)),
        )

    @property
    def kept(self) -> Iterator[str]:
        """Yield the statements by which a block keeps what it found."""
        own = ", ".join(item.name for item in self._extreme.variables)
        context = (item.name for item in (*self._context.arrays, *self._context.scalars))
        arguments = ", ".join((f"{{{own}}}", *context))
        yield f"const {self.type} {self.overall} = {self.type}_of_block({arguments});"
        yield f"if (threadIdx.x == 0) {self.memory}[blockIdx.x] = {self.overall};"

    def begun(self, blocks: str) -> Iterator[str]:
        """Yield the statements by which the host makes room for what blocks find."""
        yield f"{self.type} *{self.memory};"
        yield f"check(cudaMalloc(&{self.memory}, sizeof({self.type}) * {blocks}));"

    def merged(self, blocks: str) -> str:
        """Return the launch that merges it."""
        arguments = ", ".join((self.memory, blocks, *self._context.arguments))
        return f"{self.type}_merge<<<1, {THREADS}>>>({arguments});"

    def brought(self) -> Iterator[str]:
        """Yield the statements by which the host takes what was found."""
        size = f"sizeof({self.type})"
        yield f"{self.type} {self.overall};"
        yield f"check(cudaMemcpy(&{self.overall}, {self.memory}, {size}, cudaMemcpyDeviceToHost));"
        yield f"check(cudaFree({self.memory}));"
        yield from (f"{item.name} = {self.overall}.{item.name};" for item in self._extreme.variables)

    def _better(self, own: str, other: str) -> Iterator[str]:
        """Yield the statements that return the finding that counts."""
        one = self._extreme
        best, their = (
            one.best_of({item: f"{name}.{item.name}" for item in one.variables}) for name in (own, other)
        )
        place, their_place = f"{own}.{one.place.name}", f"{other}.{one.place.name}"
        if one.best.type != "identifier":  # without an iteration there may be no element to compare
            yield f"if ({their_place} == {place}) return {own};"
        nearer = f"{their_place} {'>' if one.prefers_greater else '<'} {place}"
        yield f"if ({their} == {best}) return {nearer} ? {other} : {own};"
        yield f"return {their} {one.sign[0]} {best} ? {other} : {own};"

    def _free(self, wish: str) -> str:
        return free_name(self._function.identifiers, wish)


def _body(
    function: Function,
    band: Band,
    name: str,
    gathered: Sequence[Gathered],
    found: Sequence[_Finding],
    types: frozenset[str],
) -> str:
    """Return what a thread does: it goes through iterations with what it finds, and its block merges that."""
    loop, number = band.outer, free_name(function.identifiers, "number")
    first, move = "blockIdx.x * blockDim.x + threadIdx.x", "gridDim.x * blockDim.x"
    edits = list(atomic(band, types))
    inner = [
        *begun(band, gathered),
        f"for (size_t {number} = {first}; {number} < {count(loop)}; {number} += {move}) {{",
        *deeper([f"const {type_of(loop)} {loop.variable.name} = {value(loop, number)};"]),
        *deeper(line for item in block_statements(loop.body) for line in lines_of(function, item, edits)),
        "}",
        *(line for item in found for line in item.kept),
        *added(gathered, name),
    ]
    return "\n".join(deeper(inner))


def _launch(function: Function, band: Band, name: str, passed: Given, found: Sequence[_Finding]) -> str:
    number, blocks = (free_name(function.identifiers, wish) for wish in ("count", "blocks"))
    share = ROUNDS * THREADS
    needed = f"({number} + {share - 1}) / {share}"
    all_blocks = f"{number} < {MOST_AT_ONCE} ? {needed} : {MERGING_BLOCKS}"
    arguments = ", ".join((*passed.arguments, *(item.memory for item in found)))
    inner = [
        f"const size_t {number} = {count(band.outer)};",
        f"const unsigned {blocks} = {all_blocks};",
        *(line for item in found for line in item.begun(blocks)),
        f"{name}<<<{blocks}, {THREADS}>>>({arguments});",
        *(item.merged(blocks) for item in found),
        LAUNCHED,
        *(line for item in found for line in item.brought()),
    ]
    return "\n".join((f"if ({some(band.outer)}) {{", *deeper(inner), "}"))
