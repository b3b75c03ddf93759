"""Branches of a candidate that no trial takes, but for those that nothing rests on.

What a trial never takes was never tried, whatever it does. Left out are branches behind which the source's
own text runs, how many threads a region gets, errors of a device's runtime, conditions of the source that
its own trials do not take either, and whether a number is beyond the extreme that a clause reduces to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from tree_sitter import Node

from transpile.code.lexer import spelled, tokenize
from transpile.code.syntax import NEGATED
from transpile.code.trees import declared, descendants, parse, text
from transpile.core import Candidate, Unit
from transpile.parsers.text.units import definitions
from transpile.testers.oracle.cover import Branch, impossible
from transpile.testers.prove.ways import Ways
from transpile.testers.text.extremes import extreme_of, extremes_called
from transpile.testers.text.retries import is_retry
from transpile.testers.text.value_tests import CONDITIONS, value_tests, words

_PRAGMA = re.compile(rb"^[ \t]*#[ \t]*pragma\b(?:[^\n\\]|\\\r?\n|\\.)*", re.MULTILINE)
_SUCCESS = re.compile(
    r"(?:\w+|(?:cuda|hip)\w+\((?:(?!&&|\|\||\?)(?:[^()]|\((?:[^()]|\([^()]*\))*\)))*\))"
    r"\s*[!=]=\s*(?:cuda|hip)Success"
)
"""An error of a device's runtime, or what a call of it gives."""
_SWAP = re.compile(r"\batomicCAS\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_LEAVES = re.compile(r"if \([^{};]*\) return (?:0|false|-1LL);")
"""Exits of our run-time checks and inspectors that send a call to the source's loops."""
_LANE_IS_THERE = re.compile(r"[^?:]* < (?:lanes|lane_count)\w*")
"""Asked before the value of another lane is read: of one that is not there, the source reads anything."""
_LEADING_ZEROS = re.compile(r"(.+) == 0 \? (?:32 : __builtin_clz|64 : __builtin_clzll)\((.+)\)")
"""Leading zeros as rules write them: compilers of hosts leave them undefined at 0."""
_NEGATION = re.compile(r"!\(((?:[^()]|\([^()]*\))*)\)")
_COMPARISON = re.compile(r"([^<>=!&|?]+)(<=|>=|==|!=|<|>)([^<>=!&|?]+)")
_COMPARED = re.compile(r"(\w+) (<=?|>=?) (\d+)")
_ARRAY = re.compile(r"\b[A-Za-z_]\w*\b(?:\.\w+)*(?!\s*\[|[\w.])")
_EXTREME = re.compile(r"\breduction\s*\(\s*(max|min)\s*:([^)]*)\)")
_ASSERTION = "assert("
"""Begins a condition of rules on a launch, which holds in valid calls, whichever part of it does."""
_SWITCH = "switch_statement"
_LAMBDA = re.compile(r"NK?Ul")
_CLAUSE = re.compile(r"\bif\s*\(\s*(\w+)\s*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Untaken:
    """A line with a way out that no trial takes."""

    line: int
    text: str
    labels: tuple[str, ...] = ()
    """Of the cases, where a ``switch`` begins there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Facts about the source of a candidate."""

    parts: tuple[Unit, ...]
    """The unit and what it calls."""
    never: frozenset[str]
    """Lines with branches that its own trials do not take, without blanks."""
    pointers: frozenset[str]
    """Names of arrays, which trials always give."""
    least: Mapping[str, int] = field(default_factory=dict)
    """Least values of numbers in valid calls."""
    trusted: bool
    """The candidate is the work of rules, which ask at run time whether the source's loops have to run."""


class Reading:
    """The file that a candidate is built in, read once for all its branches."""

    def __init__(self, data: bytes, namespace: str, candidate: Candidate, known: Known) -> None:
        """Parse the file.

        Args:
            data: The file as it is compiled.
            namespace: Of the candidate's functions; in C, the beginning of their names.
            candidate: Whose branches are counted.
            known: Facts about its source.
        """
        self._data = data
        self._lines = data.split(b"\n")
        self._root = parse(data).root_node
        self._prefix = f"{namespace}__"
        self._texts = tuple(item.text for item in candidate.replacements)
        self._known = known
        names = {
            item.name.rpartition("::")[2] for own in self._texts for item in definitions("candidate.cu", own)
        }
        self._own = re.compile(
            "|".join(
                rf"(?<!\d){len(namespace)}{namespace}(?:.*?\D)?{len(name)}{name}|\b{namespace}__{name}\b"
                for name in sorted(map(re.escape, names))
            )
            or r"(?!)"
        )

    def untaken(
        self, rows: Iterable[Branch], ran: frozenset[int], shown: Mapping[int, Ways] | None = None
    ) -> list[Untaken]:
        """Return the lines of the candidate with branches that no call took, without those left out.

        Args:
            rows: The branches of the file.
            ran: Its lines that ran.
            shown: Lines with ways out that are shown to be taken by nothing. They count where the line has as
                many ways out as branches: compilers join conditions, and make others of what is none.
        """
        by_function: dict[tuple[str, tuple[int, int, str], int], list[int]] = {}
        for row in rows:
            # What rules ask at run time, they ask in lambdas: the source's loops run where it does not hold.
            asked = self._known.trusted and _LAMBDA.search(row.function)
            if self._own.search(row.function) and not asked:
                by_function.setdefault((row.function, row.origin, row.line), []).append(row.count)
        counts: dict[tuple[tuple[int, int, str], int], list[list[int]]] = {}
        for (_, origin, line), ways in by_function.items():
            counts.setdefault((origin, line), []).append(ways)
        never: Counter[int] = Counter()
        branches: Counter[int] = Counter()
        for (_, line), instances in counts.items():
            # What one instance of a template takes is taken.
            taken = [max(ways) for ways in zip(*instances, strict=False)]
            never[line] += taken.count(0)
            branches[line] += len(taken)
        unreached = _agreed(shown or {}, never, branches)
        return [
            Untaken(line=line, text=self._text(line), labels=self._labels(line))
            for line, count in sorted(never.items())
            if count > max(self._left_out(line, count, ran), unreached.get(line, 0))
        ]

    def _text(self, line: int) -> str:
        return self._lines[line - 1].decode("utf-8", "surrogateescape").strip()

    def _labels(self, line: int) -> tuple[str, ...]:
        """Return what the cases of the switches say that begin on a line."""
        switches = (node for node in descendants(self._root, _SWITCH) if node.start_point[0] + 1 == line)
        cases = (node for switch in switches for node in descendants(switch, "case_statement"))
        return tuple(text(value) for node in cases if (value := node.child_by_field_name("value")))

    def _left_out(self, line: int, never: int, ran: frozenset[int]) -> int:
        """Return how many of a line's untaken branches nothing rests on."""
        if (
            line in self._pragmas
            or line not in self._branching
            or (self._known.trusted and line in self._copied)
            or any(line in lines and not other.isdisjoint(ran) for lines, other in self._sides)
            or (self._known.trusted and self._asks_places(self._text(line).removeprefix("if ")))
            or (self._known.trusted and self._text(line).startswith(_ASSERTION))
        ):
            return never
        decided = self._conditions.get(line, ())
        conditions = [node for node in decided if not self._is_shared_out(node, ran)]
        if decided and all(map(self._is_harmless, conditions)):
            return never
        return impossible(self._lines[line - 1], self._known.pointers)

    def _is_shared_out(self, node: Node, ran: frozenset[int]) -> bool:
        """Tell whether a directive shares out a loop whose body ran: runtimes count its iterations."""
        body = node.child_by_field_name("body")
        if node.type != "for_statement" or body is None or ran.isdisjoint(_lines_of(body)):
            return False
        outer = node
        while outer.start_point[0] not in self._pragmas and (around := _loop_around(outer)) is not None:
            outer = around
        return outer.start_point[0] in self._pragmas

    def _is_harmless(self, node: Node) -> bool:
        """Tell whether what a condition decides needs no trial of both ways."""
        if node.type == "init_declarator":
            return self._sizes_a_team(node)
        test = node.child_by_field_name("condition")
        if node.type == _SWITCH and test is not None:
            return self._known.trusted and self._stands_in_source(node)
        if node.type not in CONDITIONS or test is None:
            computed = node.parent is not None and self._sizes_a_team(node.parent)
            return computed or _SUCCESS.fullmatch(_plain(node)) is not None
        plain = _plain(test)
        return (
            _SUCCESS.fullmatch(plain) is not None
            or not self._known_tests.isdisjoint(_alike(plain))
            or self._is_settled(plain)
            or is_retry(node)
            or self._is_extreme(node)
            or (self._known.trusted and self._asks_captured("".join(plain.split())))
            or (self._known.trusted and self._is_of_rules(node, plain))
        )

    def _is_extreme(self, node: Node) -> bool:
        """Tell whether a choice takes the greater or lesser of two numbers as a clause or the source does.

        ``if (i > last) last = i;`` where threads go upward never meets a lesser one, and limits that are for
        rounding are never met: ``if (x > width - 1) x = width - 1;`` for ``min(x, width - 1)``.
        """
        found = extreme_of(node)
        if found is None:
            return False
        known = {(found.kind, operand) for operand in found.operands}
        return not known.isdisjoint(self._limits) or (found.kind, found.target) in set(self._reduced(node))

    @cached_property
    def _limits(self) -> frozenset[tuple[str, str]]:
        """Return the operands of the source's calls that take the greater or lesser of two numbers."""
        roots = (parse(part.text).root_node for part in self._known.parts)
        return frozenset(operand for root in roots for operand in extremes_called(root))

    def _reduced(self, node: Node) -> Iterator[tuple[str, str]]:
        """Yield the extremes that clauses of the loops around a statement reduce: how, and what."""
        around = node.parent
        while around is not None:
            line = around.start_point[0]
            while around.type == "for_statement" and line in self._pragmas:
                for found in _EXTREME.finditer(self._lines[line - 1].decode("utf-8", "surrogateescape")):
                    yield from ((found[1], name.strip()) for name in found[2].split(","))
                line -= 1
            around = around.parent

    def _is_settled(self, test: str) -> bool:
        """Tell whether a comparison of a number with a constant comes out the same in every valid call."""
        found = _COMPARED.fullmatch(test)
        if found is None or found[1] not in self._known.least:
            return False
        beyond = self._known.least[found[1]] - int(found[3])
        return beyond >= 0 if found[2] in ("<", ">=") else beyond > 0

    def _is_of_rules(self, node: Node, test: str) -> bool:
        """Tell whether rules ask for anything to do, for a lane, what inspectors found, or as the source."""
        spelling = " ".join(text(node).split())
        zeros = _LEADING_ZEROS.fullmatch(spelling)
        if zeros is not None and zeros[1] in (zeros[2], f"({zeros[2]})"):
            return True
        if node.type == "conditional_expression" and "&&" not in test and _LANE_IS_THERE.fullmatch(test):
            return True
        leaves = _LEAVES.fullmatch(spelling) and _bare(text(node)) not in _bare(self._source)
        if leaves or _bare(test) in self._tests:
            return True
        nothing = node.child_by_field_name("alternative")
        empty = nothing is None or text(nothing) == "0"
        parts = [part.strip() for part in test.split("&&")]
        there = all(part.endswith(" > 0") or part in self._known.pointers for part in parts)
        return empty and there and "||" not in test

    @cached_property
    def _source_tests(self) -> frozenset[str]:
        """Return the conditions of the source."""
        roots = (parse(part.text).root_node for part in self._known.parts)
        nodes = (node for root in roots for node in descendants(root, *CONDITIONS))
        return frozenset(_plain(test) for node in nodes if (test := node.child_by_field_name("condition")))

    @cached_property
    def _tests(self) -> frozenset[str]:
        """Return them without parentheses: they may be more than a translation needs."""
        return frozenset(map(_bare, self._source_tests))

    @cached_property
    def _known_tests(self) -> frozenset[str]:
        """Return the conditions of the source on lines that its own trials do not take whole."""
        squeezed = {"".join(test.split()) for test in self._source_tests}
        never = (test for test in squeezed if any(test in line for line in self._known.never))
        return frozenset(map(_without_std, never))

    def _asks_captured(self, test: str) -> bool:
        """Tell whether rules ask of a variable what the source asks of a swap, whose failure is chance."""
        return any(known.fullmatch(test) for known in self._captured_tests)

    @cached_property
    def _captured_tests(self) -> Sequence[re.Pattern[str]]:
        tests = ("".join(test.split()) for test in self._source_tests)
        parts = (_SWAP.split(test) for test in tests if _SWAP.search(test))
        return [re.compile(r"\w+".join(map(re.escape, around))) for around in parts]

    @cached_property
    def _sides(self) -> Sequence[tuple[frozenset[int], frozenset[int]]]:
        """Return choices one side of which is the source's own: their lines with it, and the other's."""
        return [found for node in descendants(self._root, "if_statement") if (found := self._side(node))]

    def _side(self, node: Node) -> tuple[frozenset[int], frozenset[int]] | None:
        chosen, left = (node.child_by_field_name(name) for name in ("consequence", "alternative"))
        behind = node.next_named_sibling if left is None else left
        if chosen is None or behind is None:
            return None
        test = node.child_by_field_name("condition")
        for own, other in ((chosen, behind), (left, chosen)):
            if own is not None and test is not None and self._is_of_source(own, test):
                # Whether the other side ran is not seen on lines that both stand on.
                lines = frozenset((*_lines_of(test), *_lines_of(own)))
                return lines, frozenset(_lines_of(other)) - lines
        return None

    def _is_of_source(self, side: Node, test: Node) -> bool:
        """Tell whether a side does what the source does: calls a copy of it, or is a part of its text.

        A part of its text may stand where nothing but the places of arrays is asked.
        """
        words = [
            token for token in tokenize(side.text or b"").text if token.text not in (b"{", b"}", b"else")
        ]
        plain = b" ".join(word.text for word in words if word.text != b"return")
        call = re.fullmatch(rb"(\w+) \( (?:[\w ,]*) \) ;(?: ;)?", plain)
        if call is not None:
            return call[1].decode().removeprefix(self._prefix) in self._copies
        plain_text = b"#" not in (side.text or b"")
        return (
            plain_text
            and self._asks_places(_meant(test))
            and len(words) > 1
            and spelled(words) in self._source
        )

    def _asks_places(self, test: str) -> bool:
        """Tell whether each comparison of a condition is about two arrays."""
        parts = [part for part in re.split(r"&&|\|\|", test.replace("->", ".")) if re.search(r"\w", part)]
        named = [set(_ARRAY.findall(part)) & self._known.pointers for part in parts]
        return bool(named) and all(len(arrays) > 1 for arrays in named)

    def _stands_in_source(self, node: Node) -> bool:
        """Tell whether a statement is one of the source's function as it is, but for braces."""
        tokens = tokenize(node.text or b"").text
        return spelled([token for token in tokens if token.text not in (b"{", b"}")]) in self._source

    @cached_property
    def _source(self) -> str:
        """Return the tokens of the source's function, without braces."""
        tokens = tokenize(self._known.parts[0].text).text
        return spelled([token for token in tokens if token.text not in (b"{", b"}")])

    @cached_property
    def _copies(self) -> frozenset[str]:
        """Return the names of the candidate's functions that are the source's under another name."""
        [own, *_] = self._known.parts
        wanted = _spelled(own.text, own.name.rpartition("::")[2])
        return frozenset(name for name, body in self._written if _spelled(body, name) == wanted)

    @cached_property
    def _written(self) -> Sequence[tuple[str, bytes]]:
        """Return the candidate's functions by name, with their texts."""
        return [
            (item.name.rpartition("::")[2], written[item.span.start : item.span.end])
            for written in self._texts
            for item in definitions("candidate.cu", written)
        ]

    @cached_property
    def _callees(self) -> frozenset[str]:
        """Return the names of the candidate's functions that are, word for word, callees of the source."""
        wanted = {_done(part.text, part.name.rpartition("::")[2]) for part in self._known.parts[1:]}
        return frozenset(name for name, body in self._written if _done(body, name) in wanted)

    @cached_property
    def _copied(self) -> frozenset[int]:
        """Return the lines of those functions: what they do not do here, the source would do as well."""
        copies = self._copies | self._callees
        return frozenset(
            line
            for node in descendants(self._root, "function_definition")
            if self._name_of(node) in copies
            for line in _lines_of(node)
        )

    def _name_of(self, function: Node) -> str:
        return text(declared(function.child_by_field_name("declarator"))).removeprefix(self._prefix)

    def _sizes_a_team(self, node: Node) -> bool:
        """Tell whether a variable with an initial value decides about nothing but clauses ``if``."""
        name = text(node.child_by_field_name("declarator"))
        function = node
        while function.type != "function_definition" and function.parent is not None:
            function = function.parent
        if node.type != "init_declarator" or not name.isidentifier():
            return False
        uses = [item for item in descendants(function, "identifier") if text(item) == name]
        clauses = {
            found[1]
            for line in self._pragmas
            for found in _CLAUSE.finditer(self._lines[line - 1].decode("utf-8", "surrogateescape"))
        }
        return len(uses) == 1 and name in clauses

    @cached_property
    def _pragmas(self) -> frozenset[int]:
        """Return the lines of directives, continued ones whole."""
        found: set[int] = set()
        for match in _PRAGMA.finditer(self._data):
            first = self._data.count(b"\n", 0, match.start()) + 1
            found.update(range(first, first + match.group().count(b"\n") + 1))
        return frozenset(found)

    @cached_property
    def _branching(self) -> frozenset[int]:
        """Return the lines on which the text chooses: how runtimes share out loops stands on any line."""
        found = {
            line for line, nodes in self._conditions.items() for node in nodes if node.type in CONDITIONS
        }
        for node in descendants(self._root, "binary_expression", "case_statement", _SWITCH):
            if node.type != "binary_expression" or text(node.child_by_field_name("operator")) in ("&&", "||"):
                found.update(_lines_of(node))
        return frozenset(found.union(*map(_lines_of, self._value_tests)))

    @cached_property
    def _value_tests(self) -> Sequence[Node]:
        """Return the comparisons that are computed with, of which branches were made."""
        if self._known.trusted:
            return ()
        return tuple(value_tests(self._root, words(self._known.parts[0].text)))

    @cached_property
    def _conditions(self) -> Mapping[int, Sequence[Node]]:
        """Return what decides on each line: statements by their conditions, tests, and initial values."""
        found: dict[int, list[Node]] = {}
        for node in descendants(self._root, *CONDITIONS, _SWITCH, "init_declarator"):
            tested = node if node.type == "init_declarator" else node.child_by_field_name("condition")
            if tested is not None:
                for line in _lines_of(tested):
                    found.setdefault(line, []).append(node)
        for node in self._value_tests:
            for line in _lines_of(node):
                found.setdefault(line, []).append(node)
        return {line: list(_deciding(nodes)) for line, nodes in found.items()}


def _agreed(shown: Mapping[int, Ways], never: Counter[int], branches: Counter[int]) -> Mapping[int, int]:
    """Return how many ways out of lines are shown to be taken by nothing, where they are the branches.

    Where a call took one of those, what was shown is not true of this text, and nothing is left of it.
    """
    found: dict[int, int] = {}
    for first, ways in shown.items():
        lines = range(first, first + ways.lines)
        if sum(branches[line] for line in lines) != ways.all:
            continue
        count = sum(never[line] for line in lines)
        if count < ways.never:
            return {}
        if count == ways.never or ways.lines == 1:  # else, which of them is not known
            found |= {line: min(never[line], ways.never) for line in lines}
    return found


def never_taken(source: Mapping[str, bytes], places: Collection[str]) -> frozenset[str]:
    """Return the lines at some places, ``path:line``, without blanks."""
    found = set()
    for place in places:
        path, _, line = place.rpartition(":")
        lines = source.get(path, b"").split(b"\n")
        if int(line) <= len(lines):
            found.add("".join(lines[int(line) - 1].decode("utf-8", "surrogateescape").split()))
    return frozenset(found)


def _deciding(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the nodes without initial values that conditions stand in or beside."""
    conditions = [node for node in nodes if node.type != "init_declarator"]
    yield from conditions or nodes


def _plain(test: Node) -> str:
    """Return a condition without the parentheses around it, blanks as single ones."""
    return " ".join(text(test).split()).removeprefix("(").removesuffix(")")


def _meant(test: Node) -> str:
    """Return the initial value of the constant that a test is, else the test."""
    name, around = _bare(text(test)), test.parent
    while around is not None and around.type != "function_definition":
        before = (item for item in reversed(around.named_children) if item.end_byte <= test.start_byte)
        for item in before:
            if item.type == "declaration" and name in map(text, descendants(item, "identifier")):
                return _constant(item, name) or text(test)
        around = around.parent
    return text(test)


def _constant(declaration: Node, name: str) -> str:
    """Return the initial value of a constant, empty where it is none."""
    for node in descendants(declaration, "init_declarator"):
        if text(node.child_by_field_name("declarator")) == name and text(declaration).startswith("const "):
            return text(node.child_by_field_name("value"))
    return ""


def _alike(test: str) -> Iterator[str]:
    """Yield a condition without blanks and ``std::``, and the one that it is the opposite of."""
    squeezed = _without_std("".join(test.split()))
    yield squeezed
    negated, compared = _NEGATION.fullmatch(squeezed), _COMPARISON.fullmatch(squeezed)
    if negated is not None:
        yield negated[1]
    if compared is not None:
        yield f"{compared[1]}{NEGATED[compared[2]]}{compared[3]}"


def _without_std(test: str) -> str:
    """Return a condition with functions of C++ by their plain names, as kernels call them."""
    return re.sub(r"\bstd::", "", test)


def _bare(test: str) -> str:
    """Return a condition without blanks and parentheses."""
    return re.sub(r"[\s()]", "", test)


def _loop_around(node: Node) -> Node | None:
    """Return the loop that holds a loop and nothing else."""
    outer = node.parent
    if outer is not None and outer.type == "compound_statement" and outer.named_child_count == 1:
        outer = outer.parent
    return outer if outer is not None and outer.type == "for_statement" else None


def _lines_of(node: Node) -> range:
    return range(node.start_point[0] + 1, node.end_point[0] + 2)


def _done(function: bytes, name: str) -> str:
    """Return the tokens of a function from its name on, functions of C++ by their plain names."""
    words = spelled(tokenize(function).text)
    return _without_std(words[max(words.find(f"{name}("), 0) :])


def _spelled(function: bytes, name: str) -> str:
    """Return a function's tokens without its own name and how it is linked."""
    words = [token for token in tokenize(function).text if token.text != b"static"]
    return spelled([token for token in words if token.text != name.encode("utf-8", "surrogateescape")])
