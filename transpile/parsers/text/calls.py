"""Who calls whom, by name and number of arguments; and the order that puts callees first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from transpile.code.lexer import Kind, Token, angle_closing, closing, split
from transpile.parsers.text.launches import find_launches
from transpile.parsers.text.units import Definition


def called(tokens: Sequence[Token]) -> Iterator[tuple[str, int | None]]:
    """Yield name and number of arguments of what a body calls; None where that number is unknown."""
    for index, token in enumerate(tokens[:-1]):
        at = opened(tokens, index) if token.kind is Kind.WORD else None
        if at is not None:
            close = closing(tokens, at)
            yield _text(token), None if close is None else len(split(tokens[at + 1 : close]))
    for launch in find_launches(tokens):
        yield launched_name(launch.kernel), len(split(launch.arguments))


def opened(tokens: Sequence[Token], index: int) -> int | None:
    """Return where the arguments open that follow a name, and its template arguments; None for no call."""
    at: int | None = index + 1
    if [token.text for token in tokens[index + 1 : index + 2]] == [b"<"]:
        close = angle_closing(tokens, index + 1)
        at = None if close is None else close + 1
    return at if at is not None and at < len(tokens) and tokens[at].text == b"(" else None


def launched_name(kernel: Sequence[Token]) -> str:
    """Return the last plain name of a kernel expression, without template arguments."""
    depth = 0
    for token in reversed(kernel):
        if token.text == b">":
            depth += 1
        elif token.text == b"<":
            depth -= 1
        elif depth == 0 and token.kind is Kind.WORD:
            return _text(token)
    return ""


def _text(token: Token) -> str:
    return token.text.decode("utf-8", "surrogateescape")


class Directory:
    """The definitions of a source by plain name."""

    def __init__(self, definitions: Sequence[Definition], visible: Mapping[str, frozenset[str]]) -> None:
        """``visible`` maps a file to the files that see it or that it sees through includes."""
        self._visible = visible
        self._by_name: dict[str, list[int]] = {}
        self._definitions = definitions
        for index, definition in enumerate(definitions):
            self._by_name.setdefault(definition.name.rpartition("::")[2], []).append(index)

    def resolve(self, name: str, arguments: int | None, path: str) -> list[int]:
        """Return the definitions that a call in a file can mean: the nearest that take the arguments."""
        fitting = [
            index for index in self._by_name.get(name, ()) if _takes(self._definitions[index], arguments)
        ]
        near = [index for index in fitting if self._definitions[index].path == path]
        if near:
            return near
        visible = self._visible.get(path, frozenset())
        seen = [index for index in fitting if self._definitions[index].path in visible]
        # What a header declares that both files see.
        declared = [
            index
            for index in fitting
            if visible & self._visible.get(self._definitions[index].path, frozenset())
        ]
        return seen or declared or fitting


def _takes(definition: Definition, arguments: int | None) -> bool:
    parameters = definition.parameters
    count = 0 if len(parameters) == 1 and [t.text for t in parameters[0]] == [b"void"] else len(parameters)
    variadic = any(token.text == b"." for parameter in parameters for token in parameter)
    if arguments is None or variadic:
        return True
    required = sum(all(token.text != b"=" for token in parameter) for parameter in parameters[:count])
    return required <= arguments <= count


def callees_first(callees: Sequence[Sequence[int]]) -> list[int]:
    """Return the indices so that callees stand before callers; a cycle is entered where it is first met."""
    order: list[int] = []
    seen: set[int] = set()
    for root in range(len(callees)):
        stack: list[tuple[int, Iterator[int]]] = []
        if root not in seen:
            seen.add(root)
            stack.append((root, iter(callees[root])))
        while stack:
            node, rest = stack[-1]
            child = next((index for index in rest if index not in seen), None)
            if child is None:
                order.append(node)
                stack.pop()
            else:
                seen.add(child)
                stack.append((child, iter(callees[child])))
    return order
