"""Mistakes planted in the translation of a routine, each copy in a namespace of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.lowering.emulation import candidate_namespace
from transpile.testers.mutation.operators import Mutation, mutations, sampled

MOST = 48
"""Mistakes that are planted in one routine; of more, a sample is taken."""
_ARRAY = re.compile(
    r"fortran::(?:ContiguousView|AssumedShape|View|FixedArray|BoundedArray|Array)"
    r"<[^;{}]*?> ?&?(\w+)(?=[(,);= ])"
)
_DECLARED = re.compile(r"fortran::[^;]*> ?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A mistake: its place in the Fortran text, and the definition that has it."""

    line: int
    operator: str
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        """Return the mistake in words."""
        return f"line {self.line}: {self.operator}: `{self.before}` becomes `{self.after}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Planting:
    """The mistakes that are planted in a routine."""

    definition: str
    """Without a mistake."""
    mutants: tuple[Mutant, ...]
    possible: int


def plant(text: str, interface: Interface, origins: Sequence[int]) -> Planting | None:
    """Return the mistakes to plant in a routine's translation; None where that is not found.

    Args:
        text: Of the whole library.
        interface: The routine.
        origins: Of each line of the text the line of Fortran that it comes from.
    """
    span = _definition(text, interface.target)
    if span is None:
        return None
    definition = text[slice(*span)]
    first = text.count("\n", 0, span[0])
    body = definition.index("{\n") + 2
    found = tuple(
        item
        for item in (*mutations(definition.encode("latin-1", "replace")), *_of_arrays(definition, body))
        if item.text[:body] == definition[:body].encode("latin-1", "replace")
    )
    chosen = [
        Mutant(
            line=origins[first + item.line] if first + item.line < len(origins) else 0,
            operator=item.operator,
            before=item.before,
            after=item.after,
            text=item.text.decode("latin-1"),
        )
        for item in sampled(found, MOST)
    ]
    return Planting(definition=definition, mutants=tuple(chosen), possible=len(found))


def copies(text: str, interface: Interface, definitions: Sequence[str]) -> str:
    """Return a library's text with copies of a routine behind it, called by numbered names."""
    shim = re.search(
        rf'^extern "C" \[\[gnu::weak\]\] [^\n]*\b{re.escape(interface.symbol)}\([^\n]*\{{\n(?:.*\n)*?\}}$',
        text,
        re.MULTILINE,
    )
    assert shim is not None  # Routines that trials call have one.
    space, _, name = interface.target.rpartition("::")
    parts = [text]
    for number, definition in enumerate(definitions):
        own = candidate_namespace(number)
        inner = f"namespace {own} {{\n{definition}\n}}"
        parts.append(f"namespace {space} {{\n{inner}\n}}" if space else inner)
        target = f"{space}::{own}::{name}" if space else f"{own}::{name}"
        head, _, body = shim[0].partition("{\n")
        body = re.sub(rf"(?<![\w:]){re.escape(interface.target)}\(", f"{target}(", body, count=1)
        parts.append(
            head.replace(f"{interface.symbol}(", f"{copy_symbol(interface, number)}(") + "{\n" + body
        )
    return "\n".join(parts) + "\n"


def copy_symbol(interface: Interface, number: int) -> str:
    """Return the name by which a copy is called."""
    return f"{interface.symbol}copy{number}"


def copy_interfaces(interface: Interface, count: int) -> list[Interface]:
    """Return the interfaces of copies."""
    return [replace(interface, symbol=copy_symbol(interface, number)) for number in range(count)]


def _definition(text: str, target: str) -> tuple[int, int] | None:
    """Return where the definition of a function stands, by its qualified name."""
    space, _, name = target.rpartition("::")
    for found in re.finditer(
        rf"^(?!extern)[^\s/}}].*\b{re.escape(name)}\(.*\{{\n(?:.*\n)*?\}}$", text, re.MULTILINE
    ):
        opened = re.findall(
            r"^(?:namespace (\w+) \{|\}  // namespace \w+)$", text[: found.start()], re.MULTILINE
        )
        if (opened[-1] if opened else "") == space:
            return found.span()
    return None


def _of_arrays(definition: str, body: int) -> Iterator[Mutation]:
    """Yield wrong subscripts: swapped ones, and such as are one too large or too small."""
    names = set(_ARRAY.findall(definition))
    if not names:
        return
    mentioned = re.compile(
        rf"(?<![\w.:])({'|'.join(map(re.escape, sorted(names)))})\(((?:[^()]|\([^()]*\))*)\)"
    )
    for found in mentioned.finditer(definition, body):
        if _DECLARED.search(definition[definition.rfind("\n", 0, found.start()) : found.start()]):
            continue  # What declares an array has its bounds behind it.
        subscripts = _split(found[2])
        wrong = [[f"{subscripts[0]} + 1", *subscripts[1:]], [f"{subscripts[0]} - 1", *subscripts[1:]]]
        if len(subscripts) > 1 and subscripts[0] != subscripts[1]:
            wrong.append([subscripts[1], subscripts[0], *subscripts[2:]])
        for operator, parts in zip(("index", "index", "swapped subscripts"), wrong, strict=False):
            after = f"{found[1]}({', '.join(parts)})"
            mutated = definition[: found.start()] + after + definition[found.end() :]
            yield Mutation(
                operator=operator,
                line=definition.count("\n", 0, found.start()),
                before=found[0],
                after=after,
                text=mutated.encode("latin-1", "replace"),
            )


def _split(text: str) -> list[str]:
    """Return the arguments of a call, which may hold calls."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [item.strip() for item in parts]
