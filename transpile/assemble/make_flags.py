"""Makefiles whose compilers are given flags, whichever commands and variables they are called by."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

OPENMP = "-fopenmp"
_COMPILER = re.compile(
    r"(?:\S*/)?(?:[\w.]+-)*(?:mpi)?(?:gcc|g\+\+|clang\+\+|clang|cc|c\+\+|cxx|icpx|icx|hipcc|nvcc)(?:-\d+)?$"
)
_USED = re.compile(r"\$+[({]([\w.-]+)[)}]")
_LINE = re.compile(r"(?:[^\n]*\\\n)*[^\n]*\n?")
"""A line with those that it is continued on."""
_DIRECTIVE = re.compile(r" *(-?include|sinclude|if(?:n?eq|n?def)|endif)\b(.*)", re.DOTALL)
_ASSIGNED = re.compile(
    r"(?P<target>[^\s:=#][^:=#\n]*:(?![:=]) *)?(?:export +|override +|private +)*"
    r"(?P<name>[\w.-]+)\s*(?P<operator>(?:::?|[?+])?=)(?P<value>.*)",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)
_BEHIND_RULE = re.compile(r"[^\t#=\n][^#=\n]*:[^=\n;]*;(.*)", re.DOTALL)
_PIECES = re.compile(r"&&|\|\||[;|]")
_PREFIX = re.compile(r"(?:[@+-]|\s|\w+=\S*\s|(?:ccache|time|env|nice|exec)\s)*")
_WORD = re.compile(r"(?:\$+[({][^(){}\s]*[)}]|[^\s$])+")
_OBJECT_RULE = re.compile(r"^[^\t#\n]*(?:%\.o\b[^\n=]*:|\.(?:c|cc|cpp|cxx|C)\.o\s*:)", re.MULTILINE)
_OBJECTS = re.compile(r"[^\s:=]*[\w%)}]\.o\b(?!\w)")
_RULE = re.compile(r"([^\s#:=][^#:=\n]*?)\s*::?(?!=)([^;]*)", re.DOTALL)
_PHONY = frozenset((".PHONY", ".SUFFIXES", ".SECONDARY", ".PRECIOUS", ".INTERMEDIATE", "all", "clean"))
_COMPILES = re.compile(r"(?<!\S)-c(?!\S)")
_FLAGS = re.compile(r"\w*(?:FLAGS?|OPT\w*|OPTIONS|SWITCHES)$", re.IGNORECASE)
_LINKER_FLAGS = re.compile(r"\w*(?:LD|LINK|LIB)\w*$", re.IGNORECASE)
_DEFAULTS: Mapping[str, str] = {
    "CC": "cc",
    "CXX": "g++",
    "COMPILE.c": "$(CC) $(CFLAGS) $(CPPFLAGS) -c",
    "COMPILE.cc": "$(CXX) $(CXXFLAGS) $(CPPFLAGS) -c",
    "COMPILE.cpp": "$(COMPILE.cc)",
    "LINK.o": "$(CC) $(LDFLAGS)",
    "LINK.c": "$(CC) $(CFLAGS) $(CPPFLAGS) $(LDFLAGS)",
    "LINK.cc": "$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(LDFLAGS)",
    "LINK.cpp": "$(LINK.cc)",
}
"""Variables of make's own (GNU make manual, section 10.3)."""
_COMPILE: Mapping[str, str] = {"C": "$(COMPILE.c)", "CXX": "$(COMPILE.cc)"}
_LINK = "$(LINK.o)"
"""Commands of make's own rules, which no line of a text holds."""
_OF_RULE = re.compile(r"\$[<^+?]|\$[({][<^+?]")
"""Variables by which a command is given the files of its rule."""
_DEPTH = 8


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with those that it is continued on, without its comment, and how many conditions it is in."""

    text: str
    depth: int

    @property
    def assigned(self) -> re.Match[str] | None:
        """Return what it assigns to a variable, for one target or for all."""
        return None if self.text.startswith("\t") else _ASSIGNED.match(self.text.lstrip(" "))

    @property
    def recipe(self) -> str:
        """Return the commands that it holds; empty where it holds none."""
        if self.text.startswith("\t"):
            return self.text
        found = None if self.assigned else _BEHIND_RULE.match(self.text)
        return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Makefile:
    """A text, and the other Makefiles of its source, whose variables it may see."""

    text: str
    others: Sequence[tuple[str, str]] = ()
    """Name and text of each."""
    languages: Sequence[str] = tuple(_COMPILE)
    """Those that make's own rules compile."""
    compiler: str = ""
    """The only one that counts; empty where all do."""
    lines: tuple[_Line, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Split the text once."""
        object.__setattr__(self, "lines", tuple(_lines(self.text)))

    @property
    def included(self) -> list[str]:
        """Return the texts of the others that this one includes."""
        directives = (_DIRECTIVE.match(line.text) for line in self.lines)
        words = {word for found in directives if found and "include" in found[1] for word in found[2].split()}
        names = {posixpath.basename(word) for word in words}
        return [text for name, text in self.others if posixpath.basename(name) in names]

    def values(self) -> dict[str, str]:
        """Return a value of each variable, those of other files where this one has none."""
        found = dict(_DEFAULTS)
        for text in (*(text for _, text in self.others), *self.included, self.text):
            for line in _lines(text):
                if (assigned := line.assigned) is not None and not assigned["target"]:
                    kept = assigned["operator"] == "?=" and assigned["name"] not in _DEFAULTS
                    if not (kept and assigned["name"] in found):
                        found[assigned["name"]] = assigned["value"]
        return found

    def having(self, flag: str) -> frozenset[str]:
        """Return the variables by which a flag arrives, whatever conditions hold and for every target."""
        seen = _word(flag)
        values: dict[str, str] = {}
        spoilt: set[str] = set()
        for line in (line for text in (*self.included, self.text) for line in _lines(text)):
            assigned = line.assigned
            if assigned is None:
                continue
            name, operator, value = assigned["name"], assigned["operator"], assigned["value"]
            if assigned["target"]:
                spoilt |= {name} if operator not in ("+=", "?=") and not seen.search(value) else set()
            elif line.depth == 0:
                # Make has compilers of its own, which this does not replace.
                kept = values.get(name, "") if operator in ("+=", "?=") else ""
                values[name] = kept if operator == "?=" and name in _DEFAULTS else f"{kept} {value}"
        having = {name for name, value in values.items() if seen.search(value)} - spoilt
        known = {**_DEFAULTS, **values}
        while more := {
            name for name in known.keys() - having - spoilt if having & set(_USED.findall(known[name]))
        }:
            having |= more
        return frozenset(having)

    def commands(self) -> Iterator[str]:
        """Yield the commands that call a compiler, those of make's own rules among them."""
        values = self.values()
        yield from (piece for piece, _ in self._called(values))
        if not self.compiler:
            yield from self._by_own_rules(values)

    def given(self) -> Iterator[str]:
        """Yield what commands give a compiler, files of their rules included, as far as the text tells."""
        for piece, needed in self._called(self.values()):
            yield self.meant(f"{piece} {needed}" if _OF_RULE.search(piece) else piece)

    def meant(self, command: str) -> str:
        """Return a command with the variables in it as far as they are known."""
        return _meant(command, self.values())

    def _called(self, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Yield the commands of recipes that call a compiler, each with what its rule needs."""
        needed = ""
        for line in self.lines:
            rule = None if line.assigned or line.text.startswith("\t") else _RULE.match(line.text)
            needed = rule[2] if rule else needed
            for piece in _PIECES.split(line.recipe):
                if self.compiler_of(piece, values):
                    yield piece, needed

    def with_commands(self, changed: Callable[[str, int], str]) -> str:
        """Return the text with other commands in the place of those that call a compiler.

        Args:
            changed: Returns the other command, given one and where the word for the compiler ends in it.
        """
        values = self.values()
        made: list[str] = []
        for whole, line in zip(_LINE.findall(self.text), self.lines, strict=True):
            recipe = line.recipe
            at = whole.rfind(recipe) if recipe else -1
            if at < 0:
                made.append(whole)
                continue
            pieces, place = [whole[:at]], 0
            for separator in (*_PIECES.finditer(recipe), None):
                end = separator.start() if separator else len(recipe)
                piece = recipe[place:end]
                word = self.compiler_of(piece, values)
                pieces += [changed(piece, word.end()) if word else piece, separator[0] if separator else ""]
                place = separator.end() if separator else end
            made.append("".join((*pieces, whole[at + len(recipe) :])))
        return "".join(made)

    def _by_own_rules(self, values: Mapping[str, str]) -> Iterator[str]:
        """Yield the commands of make's own rules, where an object or a program has no recipe of its own."""
        made: set[str] = set()
        wanted: set[str] = set()
        links = False
        for at, line in enumerate(self.lines):
            rule = None if line.assigned or line.text.startswith("\t") else _RULE.match(line.text)
            if rule is None:
                continue
            following = self.lines[at + 1].text if at + 1 < len(self.lines) else ""
            prerequisites = _OBJECTS.findall(_meant(rule[2], values))
            wanted |= set(prerequisites)
            if following.startswith("\t") or line.recipe:
                made |= set(rule[1].split())
            else:
                links |= (
                    bool(prerequisites) and not _OBJECTS.search(rule[1]) and rule[1].strip() not in _PHONY
                )
                wanted |= set(_OBJECTS.findall(rule[1]))
        ruled = any(map(_OBJECT_RULE.search, (self.text, *self.included)))
        if wanted - made and not ruled:
            yield from (_COMPILE[language] for language in self.languages)
        if links:
            yield _LINK

    def compiler_of(self, piece: str, values: Mapping[str, str]) -> re.Match[str] | None:
        """Return the place of the word in a command that is, or stands for, a compiler."""
        prefix = _PREFIX.match(piece)
        word = _WORD.match(piece, prefix.end() if prefix else 0)
        if word is None:
            return None
        first = _WORD.match(_meant(word[0], values).strip().lstrip("@"))
        if first is None or not is_compiler(first[0]):
            return None
        return word if self.compiler in ("", posixpath.basename(first[0])) else None


def with_flags(
    text: str,
    flags: str,
    others: Sequence[tuple[str, str]] = (),
    languages: Sequence[str] = tuple(_COMPILE),
    compiler: str = "",
) -> str:
    """Return a Makefile whose compilers are given flags, by variables that commands share if there are any.

    Args:
        text: The Makefile.
        flags: What is given; the first of them tells whether a command has them all.
        others: Name and text of the other Makefiles of the source.
        languages: Those of the source, as make's own rules know them: ``C``, ``CXX``.
        compiler: The only one that is given them; empty for all.
    """
    flag, before = flags.split()[0], Makefile(text, others, languages, compiler)
    passed = _passed_on(text, others)
    for variables in _choices(before, flag):
        made = text
        for name in variables:
            made = _added(made, name, flags, passed)
        if not _lacking(replace(before, text=made), flag):
            return made
    return _where_they_fit(before, flags)


def is_compiler(word: str) -> bool:
    """Tell whether a word of a command names a compiler of C or C++."""
    return _COMPILER.match(word) is not None


def _meant(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the variables in it as far as they are known."""
    for _ in range(_DEPTH):
        text = _USED.sub(lambda found: values.get(found[1], "").strip(), text)
    return text


def _choices(makefile: Makefile, flag: str) -> Iterator[Sequence[str]]:
    """Yield sets of variables that may bring a flag to every command which lacks it, the best first."""
    lacking = _lacking(makefile, flag)
    if not lacking:
        yield ()
        return
    used = [_used(command) for command in lacking]
    flags = [_flag_variables(command) for command in lacking]
    for name in sorted(set.intersection(*map(set, flags))):
        yield (name,)
    if all(flags):
        yield sorted({_fitting(command, names) for command, names in zip(lacking, flags, strict=True)})
    compilers = [[name for name in names if name in ("CC", "CXX")] for names in used]
    if all(compilers):
        yield sorted({names[0] for names in compilers}, reverse=True)


def _fitting(command: str, names: Sequence[str]) -> str:
    """Return the variable in which a person would look for the flags of a command."""
    compiles = _COMPILES.search(command) or "COMPILE" in command
    chosen = [name for name in names if bool(_LINKER_FLAGS.match(name)) != bool(compiles)]
    return (chosen or list(names))[0]


def _flag_variables(command: str) -> list[str]:
    """Return the variables of a command that hold flags, by their names."""
    return [name for name in _used(command) if _FLAGS.match(name)]


def _used(command: str) -> list[str]:
    """Return the variables of a command; of make's own commands those in them."""
    found: list[str] = []
    for name in _USED.findall(command):
        found += _used(_DEFAULTS[name]) if "." in name and name in _DEFAULTS else [name]
    return [name for name in found if name != "CPPFLAGS"]


def _lacking(makefile: Makefile, flag: str) -> list[str]:
    """Return the commands that call a compiler without a flag."""
    having = makefile.having(flag)
    return [command for command in makefile.commands() if not _brings(command, flag, having)]


def _brings(command: str, flag: str, having: frozenset[str]) -> bool:
    """Tell whether a command has a flag, by itself or by a variable that has it."""
    return bool(_word(flag).search(command) or having & set(_USED.findall(command)))


def _word(flag: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S){re.escape(flag)}(?![\w-])")


def _passed_on(text: str, others: Sequence[tuple[str, str]]) -> frozenset[str]:
    """Return the variables that some Makefile gives another on its command line."""
    texts = (text, *(other for _, other in others))
    calls = (
        line for item in texts for line in item.splitlines() if re.search(r"\$[({]MAKE[)}]|\bmake\b", line)
    )
    return frozenset(name for line in calls for name in re.findall(r"(?<=\s)[\"']?(\w+)=", line))


def _added(text: str, name: str, flags: str, passed: frozenset[str]) -> str:
    """Return the text with flags in a variable."""
    lines = list(_lines(text))
    places = [at for at, line in enumerate(lines) if (found := line.assigned) and found["name"] == name]
    for_all = [at for at in places if (found := lines[at].assigned) and not found["target"]]
    whole = _LINE.findall(text)
    for at in set(places) - set(for_all):
        whole[at] = _appended(whole[at], flags)
    text = "".join(whole)
    operators = {found["operator"] for at in for_all if (found := lines[at].assigned)}
    overridden = any("override " in lines[at].text.partition("=")[0] for at in for_all)
    word = "override " if "?=" in operators or name in passed or overridden else ""
    if not for_all:
        return _inserted(text, f"{word}{name} += {flags}\n")
    if len(for_all) == 1 and lines[for_all[0]].depth == 0 and operators <= {"=", ":=", "::="} and not word:
        whole[for_all[0]] = _appended(whole[for_all[0]], flags)
        return "".join(whole)
    behind = next((at for at in range(for_all[-1], len(lines)) if lines[at].depth == 0), len(lines) - 1)
    return "".join((*whole[: behind + 1], f"{word}{name} += {flags}\n", *whole[behind + 1 :]))


def _appended(line: str, flags: str) -> str:
    """Append to the value that a line assigns, before its comment."""
    body = line.rstrip("\r\n")
    comment = re.search(r"\s*(?<=\s)#.*", body)
    end = comment.start() if comment else len(body)
    return f"{body[:end].rstrip()} {flags}{body[end:]}{line[len(body) :] or chr(10)}"


def _where_they_fit(makefile: Makefile, flags: str) -> str:
    """Return the text with flags in variables of the commands that have such, and in the other commands."""
    text, passed = makefile.text, _passed_on(makefile.text, makefile.others)
    lacking = _lacking(makefile, flags.split()[0])
    having = [(command, names) for command in lacking if (names := _flag_variables(command))]
    for name in dict.fromkeys(_fitting(command, names) for command, names in having):
        text = _added(text, name, flags, passed)
    return _in_commands(replace(makefile, text=text), flags)


def _in_commands(makefile: Makefile, flags: str) -> str:
    """Return the text with flags in each command that no variable brings them to."""
    flag = flags.split()[0]
    having = makefile.having(flag)

    def changed(command: str, at: int) -> str:
        return command if _brings(command, flag, having) else f"{command[:at]} {flags}{command[at:]}"

    return makefile.with_commands(changed)


def _lines(text: str) -> Iterator[_Line]:
    depth = 0
    for found in _LINE.findall(text):
        word = _DIRECTIVE.match(found)
        depth += 0 if word is None else word[1].startswith("if") - (word[1] == "endif")
        yield _Line(_COMMENT.sub("", found), depth)


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
