"""Values of a host function's names where a kernel is launched, as text of C.

A value counts where every way to the launch gives it. What is added or replaced under a condition counts
where that says how a quotient is rounded or a number is limited. Anything else is unknown, and never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from transpile.code.trees import ancestors, descendants, grammar_of, parse, text

CHOICES = frozenset(
    (
        "case_statement", "catch_clause", "conditional_expression", "do_statement", "else_clause",
        "for_range_loop", "for_statement", "if_statement", "lambda_expression", "switch_statement",
        "while_statement",
    )
)  # fmt: skip
"""Syntax that may run its parts more than once, or not at all."""
_LOOPS = frozenset(("do_statement", "for_range_loop", "for_statement", "while_statement"))
_SETTERS = (
    "assignment_expression", "binary_expression", "call_expression", "declaration", "for_range_loop",
    "optional_parameter_declaration", "parameter_declaration", "pointer_expression", "update_expression",
)  # fmt: skip
_REMAINDER = re.compile(r"\(*0*(?:!=)?(.+?)%(.+?)\)*(?:(?:!=|>)\(?0\)?)?\)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A place that gives a name a value."""

    node: Node
    value: str | None
    """None where no text says it."""
    adds: str = ""
    """The operator by which the value joins what was there; empty where it replaces it."""


@dataclass(frozen=True, slots=True)
class Held:
    """A finding about a name; the value is None where nothing tells it."""

    value: str | None


_LONE = re.compile(rb"(?<=\n)[ \t]+(?P<word>[A-Za-z_]\w*)[ \t]*\r?\n(?=\s*(?:[A-Za-z_]|\}|//))")
"""A word alone on its line in a block, ahead of a line that begins with another or ends the block."""
_LANGUAGE = frozenset(
    b"auto bool char const constexpr continue do double else extern float inline int long private protected"
    b" public return short signed static struct template throw try typename unsigned virtual void"
    b" volatile".split()
)


@lru_cache(maxsize=16)
def root_of(path: str, data: bytes) -> Node:
    """Return the tree of a file, in which macros that are statements without an end have one."""
    return parse(_LONE.sub(_ended, data), grammar_of(path)).root_node


def _ended(found: re.Match[bytes]) -> bytes:
    """Return an empty statement of the same length; a word of the language as it stands."""
    word = found["word"]
    return found[0] if word in _LANGUAGE else found[0].replace(word, b";".ljust(len(word)))


def held(root: Node, place: int, name: str, altering: frozenset[str]) -> Held | None:
    """Return what a name holds at a place of a file.

    Args:
        root: The tree of the file.
        place: Where a kernel is launched.
        name: Of a variable.
        altering: Functions that may change what they are given, since they take it by reference.

    Returns:
        None where the function around the place does not say anything of the name.
    """
    function = function_at(root, place)
    settings = list(settings_of(function, name, altering))
    if function == root:
        return _of_file(settings)
    value: str | None = None
    since = 0
    for setting in settings:
        if _repeated(setting, place, name):
            return Held(None)
        if setting.node.start_byte < place and not _in_other_branch(setting.node, place):
            value = _after(setting, value, name, place)
            since = since if setting.adds else setting.node.start_byte
    if value is not None and any(
        since < item.node.start_byte < place
        for other in set(re.findall(r"[A-Za-z_]\w*", value)) - {name}
        for item in settings_of(function, other, altering)
    ):
        return Held(None)
    return Held(value) if settings else _of_file(list(settings_of(root, name, altering)))


def is_plain_shape(root: Node, place: int, name: str, altering: frozenset[str]) -> bool:
    """Tell whether all that is done with a shape before a launch is to declare it: ``dim3 block;``."""
    settings = list(settings_of(function_at(root, place), name, altering))
    return [text(item.node.child_by_field_name("declarator")) for item in settings] == [name] and (
        settings[0].node.type == "declaration"
        and "dim3" in text(settings[0].node.child_by_field_name("type"))
        and len(settings[0].node.children_by_field_name("declarator")) == 1
    )


def is_given_shape(root: Node, place: int, name: str) -> bool:
    """Tell whether a shape is a parameter of the function around a launch: what callers give is not known."""
    settings = settings_of(function_at(root, place), name, frozenset())
    return any(
        item.node.type.endswith("parameter_declaration")
        and "dim3" in text(item.node.child_by_field_name("type"))
        for item in settings
    )


def _of_file(settings: Sequence[Setting]) -> Held | None:
    """Return what a variable of the file holds that nothing changes."""
    own = [item for item in settings if item.node.type == "declaration" and not _function_around(item.node)]
    if not own:
        return None
    return Held(own[0].value if len(settings) == 1 else None)


def function_at(root: Node, place: int) -> Node:
    """Return the function that a place of a tree lies in; the tree where it lies in none."""
    return _function_around(root.descendant_for_byte_range(place, place) or root) or root


def _function_around(node: Node) -> Node | None:
    return next((item for item in (node, *ancestors(node)) if item.type == "function_definition"), None)


def settings_of(function: Node, name: str, altering: frozenset[str]) -> Iterator[Setting]:
    """Yield what sets a name in a function, in the order of the text."""
    for node in descendants(function, *_SETTERS):
        match node.type:
            case "assignment_expression" if text(node.child_by_field_name("left")) == name:
                operator = text(node.child_by_field_name("operator"))[:-1]
                yield Setting(node=node, value=text(node.child_by_field_name("right")), adds=operator)
            case "update_expression" if text(node.child_by_field_name("argument")) == name:
                yield Setting(node=node, value="1", adds=text(node.child_by_field_name("operator"))[0])
            case "pointer_expression" | "for_range_loop" if _mentions(node, name):
                yield Setting(node=node, value=None)
            case "binary_expression" if _is_read(node, name):
                yield Setting(node=node, value=None)
            case "call_expression" if _is_given(node, name, altering):
                yield Setting(node=node, value=None)
            case "declaration" | "parameter_declaration" | "optional_parameter_declaration":
                for declarator in node.children_by_field_name("declarator"):
                    yield from _declared(node, declarator, name)
            case _:
                pass


def _mentions(node: Node, name: str) -> bool:
    """Tell whether an address is taken of a name, or a loop gives it values."""
    part = node.child_by_field_name("declarator" if node.type == "for_range_loop" else "argument")
    return text(part).strip("&* ") == name and (node.type != "pointer_expression" or text(node)[0] == "&")


def _is_read(node: Node, name: str) -> bool:
    """Tell whether a stream is read into a name: ``in >> n``."""
    statement = node.parent is not None and node.parent.type in ("expression_statement", "binary_expression")
    reads = text(node.child_by_field_name("operator")) == ">>"
    return statement and reads and text(node.child_by_field_name("right")) == name


def _is_given(node: Node, name: str, altering: frozenset[str]) -> bool:
    """Tell whether a name is passed to a function that may change it."""
    callee = text(node.child_by_field_name("function")).partition("<")[0].rpartition("::")[2]
    arguments = node.child_by_field_name("arguments")
    given = arguments.named_children if arguments is not None else []
    return callee in altering and any(text(item) == name for item in given)


def _declared(node: Node, declarator: Node, name: str) -> Iterator[Setting]:
    """Yield the declaration of a name: ``T name``, ``T name = …``, ``T name(…)`` or ``T name{…}``."""
    spelled = text(declarator)
    found = re.match(rf"{_word(name)}\s*(.*)", spelled, re.DOTALL)
    if found is None:
        before = re.split(r"[=(\[{]", spelled, maxsplit=1)[0]
        refers = before.startswith("&") and spelled[len(before) :].strip(" ={()}\n") == name
        # What stands in brackets is a length, a parameter or a value of another, and keeps its own.
        if refers or _named(before, name):
            yield Setting(node=node, value=None)  # a reference, a pointer or an array
        return
    given = found[1].strip()
    if given.startswith("="):
        yield Setting(node=node, value=given[1:].strip())
    elif given[:1] in ("(", "{") and given:
        shape = "dim3" in text(node.child_by_field_name("type"))
        yield Setting(node=node, value=f"{{{given[1:-1]}}}" if shape else given[1:-1])
    else:
        yield Setting(node=node, value=None)


def _repeated(setting: Setting, place: int, name: str) -> bool:
    """Tell whether a loop around the launch sets a name after it, or by what it was."""
    loops = [node for node in ancestors(setting.node) if node.type in _LOOPS and _holds(node, place)]
    if not loops:
        return False
    itself = bool(setting.adds) or _named(setting.value or "", name)
    updates = any(_is_in(setting.node, loop.child_by_field_name("update")) for loop in loops)
    return itself or updates or setting.node.start_byte >= place


def _is_in(node: Node, part: Node | None) -> bool:
    return part is not None and part.start_byte <= node.start_byte < part.end_byte


def _holds(node: Node, place: int) -> bool:
    return node.start_byte <= place < node.end_byte


def _named(value: str, name: str) -> bool:
    return re.search(_word(name), value) is not None


def _word(name: str) -> str:
    """Return the pattern of a name that is no member and no part of another."""
    return rf"(?<![\w.>]){re.escape(name)}(?!\w)"


def _conditions(node: Node, place: int) -> list[Node]:
    """Return the choices around a setting that are not around the launch, innermost first."""
    return [item for item in ancestors(node) if item.type in CHOICES and not _holds(item, place)]


def _in_other_branch(node: Node, place: int) -> bool:
    """Tell whether a setting stands in one branch of a condition, and the launch in the other."""
    for item in ancestors(node):
        if item.type == "if_statement" and _holds(item, place):
            branch = item.child_by_field_name("alternative")
            if _is_in(node, item.child_by_field_name("consequence")) and branch is not None:
                return _holds(branch, place)
    return False


def _after(setting: Setting, before: str | None, name: str, place: int) -> str | None:
    """Return what a name holds after a setting, given what it held."""
    conditions = _conditions(setting.node, place)
    if setting.value is None:
        return None
    if not conditions:
        return _joined(setting, before, name)
    condition = conditions[0].child_by_field_name("condition")
    alone = len(conditions) == 1 and conditions[0].type == "if_statement"
    if not alone or before is None or conditions[0].child_by_field_name("alternative") is not None:
        return None
    return _under(_compact(text(condition)), setting, before, name)


def _joined(setting: Setting, before: str | None, name: str) -> str | None:
    """Return the value after a setting that is made in any case."""
    value = setting.value or ""
    if not setting.adds and not _named(value, name):
        return value
    if before is None or setting.node.type.endswith("declaration"):
        return None
    if setting.adds:
        return f"(({before}) {setting.adds} ({value}))"
    return re.sub(_word(name), lambda _: f"({before})", value)


def _under(condition: str, setting: Setting, before: str, name: str) -> str | None:
    """Return the value after a setting under a condition: a quotient is rounded up, or a number limited."""
    value = _compact(setting.value or "")
    if (setting.adds, value) in (("+", "1"), ("", f"{name}+1"), ("", f"1+{name}")):
        return _rounded_up(before, condition)
    limits = {f"{name}{sign}{value}": "min" for sign in (">", ">=")}
    limits |= {f"{name}{sign}{value}": "max" for sign in ("<", "<=")}
    limits |= {f"{name}==0": "max"} if value == "1" else {}
    chosen = limits.get(condition.removeprefix("(").removesuffix(")"))
    return f"{chosen}({before}, {setting.value})" if chosen and not setting.adds else None


def _rounded_up(quotient: str, condition: str) -> str | None:
    """Return a quotient with 1 more where its remainder is not 0, as ``condition`` asks; else None."""
    found = _REMAINDER.fullmatch(_compact(condition))
    if found is None:
        return None
    top, bottom = found[1].strip("("), found[2]
    if _bare(quotient) not in (f"{top}/{bottom}", f"{top}/({bottom})"):
        return None
    return f"((({top}) + ({bottom}) - 1) / ({bottom}))"


def _bare(value: str) -> str:
    """Return a text without blanks, casts of numbers and one pair of brackets around all of it."""
    plain = re.sub(r"\((?:unsigned|signed|int|long|size_t|u?int\d+_t)+\)", "", _compact(value))
    return plain[1:-1] if plain.startswith("(") and plain.endswith(")") and ")" not in plain[1:-1] else plain


def _compact(value: str) -> str:
    return re.sub(r"\s+", "", value)
