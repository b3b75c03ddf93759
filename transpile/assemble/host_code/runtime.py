"""Calls that only a device needs: synchronisation, choice of a device, launch errors, hints."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.quiet import removed
from transpile.assemble.host_code.tree import (
    address_of,
    apply,
    arguments_of,
    called,
    calls,
    parse,
    text_of,
)
from transpile.code.edits import Edit

CALLS = frozenset(
    (
        b"cudaDeviceSynchronize",
        b"cudaThreadSynchronize",
        b"cudaGetLastError",
        b"cudaPeekAtLastError",
        b"cudaSetDevice",
        b"cudaGetDevice",
        b"cudaDeviceReset",
        b"cudaThreadExit",
        b"cudaDeviceSetCacheConfig",
        b"cudaFuncSetCacheConfig",
        b"cudaFuncSetAttribute",
        b"cudaFuncSetSharedMemConfig",
        b"cudaDeviceSetLimit",
        b"cudaDeviceSetSharedMemConfig",
        b"cudaProfilerStart",
        b"cudaProfilerStop",
        b"cudaSetDeviceFlags",
        b"cudaInitDevice",
    )
)


def without_device(data: bytes, known: Definitions) -> bytes:
    """Return the text without the statements that only manage the device."""
    return apply(data, _edits(data, known))


def _edits(data: bytes, known: Definitions) -> Iterator[Edit[bytes]]:
    for call in calls(parse(data), CALLS):
        statement = call.parent
        if statement is None or statement.type != "expression_statement":
            continue
        if called(call) == b"cudaGetDevice":
            target = _device_variable(call)
            if target is not None:
                yield Edit(statement.start_byte, statement.end_byte, text_of(target) + b" = 0;")
            continue
        yield removed(data, statement, arguments_of(call), known)


def _device_variable(call: Node) -> Node | None:
    given = arguments_of(call)
    return address_of(given[0]) if given else None
