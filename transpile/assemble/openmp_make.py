"""Makefiles whose compilers shall see OpenMP, whichever commands and variables they are called by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from transpile.assemble.makefile import appended

FLAG = "-fopenmp"
_SEEN = re.compile(rf"(?<!\S){FLAG}(?![\w-])")
_WORDS = r"(?:mpi)?(?:gcc|g\+\+|clang\+\+|clang|cc|c\+\+|cxx|icpx|icx)(?:-\d+)?"
_COMPILER = re.compile(rf"(?:\$[({{](?:CC|CXX)[)}}]|(?<![\w.$({{/-]){_WORDS}(?![\w.+-]))")
_FLAGS = re.compile(r"\$[({](\w*FLAGS?|\w*OPT\w*)[)}]")
_USED = re.compile(r"\$[({]([\w.-]+)[)}]")
_LINE = re.compile(r"(?:[^\n]*\\\n)*[^\n]*\n?")
"""A line with those that it is continued on."""
_DIRECTIVE = re.compile(r" *(-?include|sinclude|if(?:n?eq|n?def)|endif)\b")
_ASSIGNED = re.compile(r" *(?:export +|override +)*([\w.-]+)\s*((?:::?|[?+])?=)(.*)", re.DOTALL)
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)
_IMPLICIT = frozenset(("CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS"))
"""Variables of make's own rules."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with those that it is continued on, without its comment, and how many conditions it is in."""

    text: str
    depth: int

    @property
    def compiles(self) -> bool:
        """Tell whether it is a command that calls a compiler."""
        return self.text.startswith("\t") and _COMPILER.search(self.text) is not None

    @property
    def assigned(self) -> tuple[str, str, str] | None:
        """Return a variable, the operator that assigns it, and its value."""
        found = None if self.text.startswith("\t") else _ASSIGNED.match(self.text)
        return (found[1], found[2], found[3]) if found else None


def with_flag(text: str) -> str:
    """Return a Makefile whose compilers see OpenMP, by flags that all commands share if there are any."""
    having = _having(text)
    compiling = [line.text for line in _lines(text) if line.compiles]
    lacking = [command for command in compiling if not _sees(command, having)]
    if not lacking and (compiling or having & _IMPLICIT):
        return text
    shared = [set(_FLAGS.findall(command)) for command in lacking]
    for name in sorted(set.intersection(*shared)) if shared else ():
        added = _added(text, name)
        if added is not None:
            return added
    variables = {match[1] for command in lacking for match in re.finditer(r"\$[({](CC|CXX)[)}]", command)}
    for name in sorted(variables) or (() if compiling else ("CC", "CXX")):
        text = _added(text, name) or _inserted(text, f"{name} += {FLAG}\n")
    return _in_commands(text)


def _lines(text: str) -> Iterator[_Line]:
    depth = 0
    for found in _LINE.findall(text):
        word = _DIRECTIVE.match(found)
        depth += 0 if word is None else word[1].startswith("if") - (word[1] == "endif")
        yield _Line(_COMMENT.sub("", found), depth)


def _having(text: str) -> frozenset[str]:
    """Return the variables by which the flag arrives, whatever conditions hold."""
    values: dict[str, str] = {}
    for line in _lines(text):
        if line.assigned is not None and line.depth == 0:
            name, operator, value = line.assigned
            # Make has compilers of its own, which this does not replace.
            kept = values.get(name, "") if operator in ("+=", "?=") else ""
            values[name] = kept if operator == "?=" and name in _IMPLICIT else f"{kept} {value}"
    having = {name for name, value in values.items() if _SEEN.search(value)}
    while more := {name for name in values.keys() - having if having & set(_USED.findall(values[name]))}:
        having |= more
    return frozenset(having)


def _sees(command: str, having: frozenset[str]) -> bool:
    return bool(_SEEN.search(command) or having & set(_USED.findall(command)))


def _added(text: str, name: str) -> str | None:
    """Return the text with the flag in a variable that is assigned; None where it is not."""
    lines = list(_lines(text))
    places = [at for at, line in enumerate(lines) if line.assigned and line.assigned[0] == name]
    if not places:
        return None
    operators = {found[1] for at in places if (found := lines[at].assigned)}
    if len(places) == 1 and lines[places[0]].depth == 0 and operators <= {"=", ":=", "::="}:
        return appended(text, name, FLAG)
    behind = next((at for at in range(places[-1], len(lines)) if lines[at].depth == 0), len(lines) - 1)
    # What a caller or the environment gives is not added to, unless it is overridden.
    word = "override " if "?=" in operators else ""
    whole = _LINE.findall(text)
    return "".join((*whole[: behind + 1], f"{word}{name} += {FLAG}\n", *whole[behind + 1 :]))


def _in_commands(text: str) -> str:
    """Return the text with the flag in each command that no variable brings it to."""
    having = _having(text)
    whole = _LINE.findall(text)
    for at, line in enumerate(_lines(text)):
        if line.compiles and not _sees(line.text, having):
            whole[at] = _COMPILER.sub(lambda found: f"{found[0]} {FLAG}", whole[at], count=1)
    return "".join(whole)


def _inserted(text: str, line: str) -> str:
    """Insert a line behind all that a Makefile includes, which may set the same variable; else first."""
    place, included = 0, False
    for at, found in enumerate(_lines(text), 1):
        word = _DIRECTIVE.match(found.text)
        if word is None:
            continue
        included = included or "include" in word[1]
        if included and found.depth == 0:
            place, included = at, False
    whole = _LINE.findall(text)
    return "".join((*whole[:place], line, *whole[place:]))
