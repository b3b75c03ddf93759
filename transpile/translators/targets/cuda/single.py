"""Loops as the work of one thread of a device: where nothing is free, and where arrays overlap."""

from __future__ import annotations

from tree_sitter import Node

from transpile.code.syntax import Function, find, inside
from transpile.code.variables import Variable, Variables
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.reductions.definite import set_before_read
from transpile.translators.loops.reductions.scalars import read_after
from transpile.translators.loops.symbols.lines import deeper, lines_of
from transpile.translators.refusal import SEQUENTIAL, Refused
from transpile.translators.targets.cuda.declarations import is_array
from transpile.translators.targets.cuda.kernels import LAUNCHED, Given, Kernel, from_outside
from transpile.translators.targets.cuda.lengths import lengths
from transpile.translators.targets.cuda.refusals import refuse_host_memory


def single(
    function: Function,
    variables: Variables,
    part: Band | SequentialNest,
    name: str,
    reason: str,
    *,
    bringing: bool = False,
) -> Kernel:
    """Return loops as the work of one thread, the last resort; raises Refused.

    Args:
        function: Whose loops they are.
        variables: Those of the function.
        part: The loops.
        name: Of the kernel.
        reason: Why one thread does it.
        bringing: Bring back the scalars that the host reads afterwards, rather than refuse.
    """
    if part.nest.reason:
        raise Refused(SEQUENTIAL, part.nest.reason)
    node = part.node
    used = from_outside(node, variables)
    refuse_host_memory(used, variables)
    held = lengths(node, variables)
    scalars = [item for item in used if not is_array(item) and item not in held]
    left = [
        item for item in scalars if any(inside(write, node) for write in item.writes) and _is_kept(item, node)
    ]
    own = [item for item in scalars if item not in left and set_before_read(item, node)]
    if left and not bringing:
        raise Refused(SEQUENTIAL, f"host code reads `{left[0].name}`, which the loops set")
    for jump in find(node, "return_statement"):
        if function.body.named_children[-1].id != node.id or jump.named_children:
            raise Refused(SEQUENTIAL, "the loops return from the function")
    arrays = tuple(item for item in used if is_array(item))
    given = tuple(item for item in scalars if item not in left and item not in own)
    passed = Given(arrays, given, tuple(left), held)
    inner = [
        *(f"{item.type} {item.name};" for item in own),
        *(f"{item.type} {item.name} = *{item.name}_total;" for item in left),
        *lines_of(function, node),
        *(f"*{item.name}_total = {item.name};" for item in left),
    ]
    return Kernel(
        name=name,
        before=f"// One thread alone: {reason}.\n",
        given=passed,
        body="\n".join(deeper(inner)),
        launch=f"{name}<<<1, 1>>>({', '.join(passed.arguments)});\n{LAUNCHED}",
    )


def _is_kept(variable: Variable, node: Node) -> bool:
    """Tell whether something may read what a statement leaves in a variable, perhaps in the next call."""
    return variable.static or variable.escapes or read_after(variable, node)
