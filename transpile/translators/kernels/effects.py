"""Effects of statements besides computing local values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from transpile.code.pure_calls import PURE
from transpile.code.syntax import (
    LOOPS,
    called,
    field,
    find,
    operator,
    outside_lambdas,
    target_of,
    unparenthesized,
)
from transpile.code.variables import Variables
from transpile.core import LaunchLaw, Unbounded
from transpile.translators.kernels.cuda_names import NUMBER_OPERATIONS, WORD_OPERATIONS

JUMPS = ("goto_statement", "labeled_statement", "lambda_expression")
"""Statements run in another order than they stand in where a function has one of these."""
BARRIERS = frozenset({"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"})
BLOCK_FENCE = "__threadfence_block"
"""Orders what a thread writes for the others of its block, and waits for nobody."""
SHUFFLES = re.compile(r"__shfl(_up|_down|_xor)?(_sync)?")
VOTES = frozenset({"__ballot_sync", "__any_sync", "__all_sync", "__ballot", "__any", "__all", "__activemask"})
WARP = re.compile(
    r"__(shfl\w*|ballot\w*|any|any_sync|all|all_sync|activemask|syncwarp|reduce_\w+_sync|match_\w+)"
)


def calls(node: Node) -> Iterator[tuple[str, Node]]:
    """Yield every call below a node with the name that is called."""
    for item in find(node, "call_expression"):
        yield called(item), item


def has_barrier(node: Node) -> bool:
    """Tell whether a block barrier is called at or below a node."""
    return any(name in BARRIERS for name, _ in calls(node))


def joins(node: Node) -> bool:
    """Tell whether threads that run a statement do so together: at a barrier, or returning ahead of one."""
    return has_barrier(node) or (node.type == "if_statement" and _returns_ahead(node))


def _returns_ahead(branch: Node) -> bool:
    """Tell whether threads may return in a branch, and those that do not go on to a barrier."""
    if not any(True for _ in outside_lambdas(branch, "return_statement")):
        return False
    node: Node | None = branch
    while node is not None and node.type != "function_definition":
        if node.type in LOOPS:
            return False
        following = node.next_named_sibling
        while following is not None:
            if has_barrier(following):
                return True
            following = following.next_named_sibling
        node = node.parent
    return False


def has_warp_primitive(node: Node) -> bool:
    """Tell whether lanes of a warp talk to each other at or below a node."""
    return any(WARP.fullmatch(name) for name, _ in calls(node))


def has_block_fence(node: Node) -> bool:
    """Tell whether a thread orders what it writes for the others of its block at or below a node."""
    return any(name == BLOCK_FENCE for name, _ in calls(node))


def adds_up(body: Node, law: LaunchLaw | None) -> bool:
    """Tell whether it matters how many threads do the same: they add to something, or print."""
    return has_atomic(body) or isinstance(law, Unbounded)


def has_atomic(node: Node) -> bool:
    """Tell whether an atomic function is called at or below a node."""
    return any(name.startswith("atomic") for name, _ in calls(node))


def _target(node: Node) -> Node:
    return unparenthesized(target_of(node))


def writes_memory(node: Node, variables: Variables) -> bool:
    """Tell whether an assignment or update changes something beyond a local variable."""
    target = _target(node)
    while target.type in ("field_expression", "subscript_expression", "parenthesized_expression"):
        if target.type == "field_expression" and operator(target) == "->":
            return True
        target = target.named_children[0]
    if target.type != "identifier":
        return True
    variable = variables.of(target)
    if variable is None or variable.shared or variable.reference or variable.static:
        return True
    return variable.pointer and _target(node).type == "subscript_expression"


def effectful(node: Node, variables: Variables) -> Iterator[Node]:
    """Yield the expressions below a node whose evaluation can be seen from outside the thread."""
    for item in find(node, "assignment_expression", "update_expression"):
        if writes_memory(item, variables):
            yield item
    yield from (item for _, item in calls(node) if not is_pure_call(item, variables))
    yield from find(node, "new_expression", "delete_expression", "gnu_asm_expression")


def is_pure_call(call: Node, variables: Variables) -> bool:
    """Tell whether a call, apart from its arguments, writes nothing and is worth the same to every thread."""
    name, function = called(call), field(call, "function")
    vendored = WORD_OPERATIONS.fullmatch(name) or NUMBER_OPERATIONS.fullmatch(name)
    if name in PURE or name.startswith("std::") or vendored or function.type == "primitive_type":
        return True
    return name != "" and variables.of(function) is None and variables.pure(name)


def has_effects(node: Node, variables: Variables) -> bool:
    """Tell whether running a statement can be seen from outside the thread."""
    return any(True for _ in effectful(node, variables))


def is_return(node: Node) -> bool:
    """Tell whether a branch does nothing but return."""
    if node.type == "compound_statement":
        inner = [child for child in node.named_children if child.type != "comment"]
        return len(inner) == 1 and is_return(inner[0])
    return node.type == "return_statement" and not node.named_children
