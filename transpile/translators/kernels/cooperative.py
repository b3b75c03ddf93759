"""Cooperative groups of a grid, a block and tiles of a warp, in the words of the plain primitives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import Function, arguments, called, field, find, replace, source, taken_out
from transpile.translators.kernels.draft import Draft
from transpile.translators.kernels.refusal import refuse

GROUP_TYPE = re.compile(r"\b(?:thread_block(?:_tile)?|thread_group|grid_group|coalesced_group)\b")
"""Types of groups, however their namespace is written."""
RANKS = re.compile(
    r"\bthis_thread_block\b.*\.\s*(?:thread_rank|size|num_threads|meta_group_\w+)\s*\(", re.DOTALL
)
"""Asks for the number of a thread in a block, or of the threads in it."""
_NAMESPACE = re.compile(r"[ \t]*(?:namespace\s+\w+\s*=|using\s+namespace)\s*cooperative_groups\s*;[ \t]*\n?")
_SCOPE = r"(?:\b\w+\s*::\s*)*"
_MADE = re.compile(rf"{_SCOPE}(?:(this_thread_block|this_grid)|tiled_partition(?:_(\w+))?)")
_TILE_TYPE = re.compile(rf"{_SCOPE}\bthread_block_tile\s*<[^<>;(]*(?:<[^<>;(]*>)?[^<>;(]*>")
_PARTITION = re.compile(rf"{_SCOPE}\btiled_partition\s*<\s*(\w+)\s*>\s*\(")
_LANES = 32
_MASK = "0xffffffff"
_ACROSS = re.compile(r"shfl(?:_down|_up|_xor)?")
_REDUCED = {
    "plus": "add",
    "greater": "max",
    "less": "min",
    "bit_and": "and",
    "bit_or": "or",
    "bit_xor": "xor",
}
_AXIS = re.compile(
    r"\b(?:threadIdx|blockDim|(?:thread_index|dim_threads|group_dim)\s*\(\s*\))\s*\.\s*([yz])\b"
)
_RANKS = {
    "x": "threadIdx.x",
    "y": "(threadIdx.y * blockDim.x + threadIdx.x)",
    "z": "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)",
}
_SIZES = {
    "x": "blockDim.x",
    "y": "(blockDim.x * blockDim.y)",
    "z": "(blockDim.x * blockDim.y * blockDim.z)",
}
"""By the last axis that a kernel mentions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """A group, and what stands for those of its functions that take nothing."""

    words: Mapping[str, str]
    barrier: str = ""
    lanes: int = 0
    """Of a tile of a warp."""


def spelled(text: str) -> str:
    """Return a text whose tiles have no template arguments, which a parser takes for comparisons."""
    return _PARTITION.sub(r"tiled_partition_\1(", _TILE_TYPE.sub("thread_group", text))


def tiles(draft: Draft) -> Draft:
    """Spell the tiles of a kernel so that its declarations are read as such."""
    return draft.after("cooperative-groups", spelled(draft.text))


def cooperative_groups(draft: Draft) -> Draft:
    """Write groups as barriers, shuffles, votes, reductions and indices.

    Raises:
        Refused: A group of lanes that are not known, or something that no plain primitive does.
    """
    text = _NAMESPACE.sub("", draft.text)
    while (edited := _rewritten(Function(text, draft.surroundings.macros.keys()), draft)) is not None:
        text = edited
    return draft.after("cooperative-groups", text)


def is_group(function: Function, argument: Node) -> bool:
    """Tell whether an argument is a group by its declaration, or makes one."""
    if argument.type == "call_expression":
        return _made(argument) is not None
    name = source(argument)
    if any(parameter.name == name and GROUP_TYPE.search(parameter.text) for parameter in function.parameters):
        return True
    return any(name == declared for declared, *_ in _declared(function))


def _rewritten(function: Function, draft: Draft) -> str | None:
    """Return the text with all outermost uses of groups written plainly, or without their declarations."""
    groups = _Groups(function, draft)
    edits = [
        replace(call, text)
        for call in find(function.body, "call_expression")
        if (text := groups.plain(call)) is not None
    ]
    if edits:
        return function.edited(_outermost(edits))
    declarations = [declaration for _, _, declaration in _declared(function)]
    if not declarations:
        return None
    for name, *_ in _declared(function):
        for use in find(function.body, "identifier"):
            inside = any(d.start_byte <= use.start_byte < d.end_byte for d in declarations)
            if source(use) == name and not inside:
                refuse("TP209", use, f"no rule translates this use of the group `{name}`")
    return function.edited([taken_out(function.text, declaration) for declaration in declarations])


def _outermost(edits: list[Edit[str]]) -> list[Edit[str]]:
    return [
        edit
        for edit in edits
        if not any(
            other is not edit and other.start <= edit.start and edit.end <= other.end for other in edits
        )
    ]


def _declared(function: Function) -> Iterator[tuple[str, Node, Node]]:
    """Yield the groups that are declared: name, what each is made from, and the declaration."""
    known: set[str] = set()
    for declaration in find(function.body, "declaration"):
        made = list(find(declaration, "init_declarator"))
        if len(made) != 1:
            continue
        name, value = source(field(made[0], "declarator")).lstrip("& "), field(made[0], "value")
        if value.type in ("argument_list", "initializer_list") and value.named_child_count == 1:
            value = value.named_children[0]
        if _made(value) is not None or source(value) in known:
            known.add(name)
            yield name, value, declaration


def _made(value: Node) -> re.Match[str] | None:
    """Return what makes a group, and with which template argument."""
    return _MADE.fullmatch(source(field(value, "function"))) if value.type == "call_expression" else None


class _Groups:
    """The groups of a kernel."""

    def __init__(self, function: Function, draft: Draft) -> None:
        self._draft = draft
        self._axis = max(_AXIS.findall(function.text), default="x")
        self._named: dict[str, _Group] = {}
        for name, value, _ in _declared(function):
            group = self.of(value)
            if group is None or self._named.setdefault(name, group) != group:
                refuse("TP209", value, f"`{name}` is a group of threads that no rule knows")

    def of(self, value: Node) -> _Group | None:
        """Return the group that an expression names or makes."""
        made = _made(value)
        if made is None:
            return self._named.get(source(value))
        if made.group(1) is not None:
            return self._grid() if made.group(1) == "this_grid" else self._block()
        given = arguments(value)
        size = made.group(2) or (source(given[1]) if len(given) == 2 else "")
        size = self._draft.surroundings.number(size)
        lanes = int(size) if size.isdecimal() else 0
        parent = self.of(given[0]) if given else None
        return self._tile(lanes, parent) if lanes in (1, 2, 4, 8, 16, _LANES) and parent is not None else None

    def plain(self, call: Node) -> str | None:
        """Return what stands for a call of a group's function; None where it is none."""
        given = arguments(call)
        chosen = field(call, "function")
        if chosen.type == "field_expression":
            group = self.of(field(chosen, "argument"))
            return self._member(group, source(field(chosen, "field")), given) if group is not None else None
        group = self.of(given[0]) if given else None
        name = called(call).rsplit("::", 1)[-1].strip()
        if group is None or _made(call) is not None:
            return None
        if name == "sync" and len(given) == 1:
            return group.barrier or None
        if name == "reduce" and len(given) == 3 and group.lanes == _LANES:
            word = re.sub(r"^.*::|<.*|[({].*", "", source(given[2])).strip()
            return f"__reduce_{_REDUCED.get(word, word)}_sync({_MASK}, {source(given[1])})"
        return None

    def _member(self, group: _Group, name: str, given: list[Node]) -> str | None:
        if not given:
            return group.barrier if name == "sync" and group.barrier else group.words.get(name)
        taken = ", ".join(source(argument) for argument in given)
        if _ACROSS.fullmatch(name) and group.lanes:
            width = f", {group.lanes}" if group.lanes < _LANES else ""
            return f"__{name}_sync({_MASK}, {taken}{width})"
        if name in ("any", "all", "ballot") and group.lanes == _LANES:
            return f"__{name}_sync({_MASK}, {taken})"
        return None

    def _grid(self) -> _Group:
        if self._axis != "x":
            return _Group(words={"group_dim": "gridDim", "dim_blocks": "gridDim"})
        words = {
            "thread_rank": "(blockIdx.x * blockDim.x + threadIdx.x)",
            "block_rank": "blockIdx.x",
            "num_blocks": "gridDim.x",
            "group_dim": "gridDim",
            "dim_blocks": "gridDim",
        }
        return _Group(words={**words, **dict.fromkeys(("size", "num_threads"), "(gridDim.x * blockDim.x)")})

    def _block(self) -> _Group:
        size = _SIZES[self._axis]
        words = {
            "thread_rank": _RANKS[self._axis],
            "group_index": "blockIdx",
            "thread_index": "threadIdx",
            "group_dim": "blockDim",
            "dim_threads": "blockDim",
            "size": size,
            "num_threads": size,
        }
        return _Group(words=words, barrier="__syncthreads()")

    def _tile(self, lanes: int, parent: _Group) -> _Group:
        words = {
            "thread_rank": f"({_RANKS[self._axis]} % {lanes})",
            "meta_group_rank": f"({parent.words['thread_rank']} / {lanes})",
            "meta_group_size": f"({parent.words['size']} / {lanes})",
            "size": str(lanes),
            "num_threads": str(lanes),
        }
        return _Group(words=words, barrier="__syncwarp()", lanes=lanes)
