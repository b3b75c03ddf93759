"""Calls of the runtime that HIP takes otherwise: variables by ``HIP_SYMBOL``, kernels as pointers to void."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from transpile.code.edits import Change, Edit
from transpile.translators.targets.hip.calls import Call, calls

_SYMBOLS: Mapping[bytes, int] = {
    b"cudaMemcpyToSymbol": 0,
    b"cudaMemcpyToSymbolAsync": 0,
    b"cudaMemcpyFromSymbol": 1,
    b"cudaMemcpyFromSymbolAsync": 1,
    b"cudaGetSymbolAddress": 1,
    b"cudaGetSymbolSize": 1,
}
"""Which argument is a variable of the device."""
_KERNELS: Mapping[bytes, int] = {
    b"cudaFuncSetCacheConfig": 0,
    b"cudaFuncSetAttribute": 0,
    b"cudaFuncSetSharedMemConfig": 0,
    b"cudaFuncGetAttributes": 1,
    b"cudaLaunchKernel": 0,
    b"cudaLaunchCooperativeKernel": 0,
}
"""Which argument is a kernel."""
_CASTS = (b"(", b"reinterpret_cast")
"""Beginning of an argument that is already cast."""


def changes(data: bytes) -> Iterator[Change]:
    """Yield what has to be put around arguments."""
    for call in calls(data, frozenset(_SYMBOLS)):
        yield from _wrapped(call, _SYMBOLS[call.name.text], b"HIP_SYMBOL(")
    yield from kernels(data)


def kernels(data: bytes) -> Iterator[Change]:
    """Yield what makes pointers to void of kernels that the runtime is told of, as CUDA takes them too."""
    for call in calls(data, frozenset(_KERNELS)):
        place = _KERNELS[call.name.text]
        if len(call.arguments) > place and call.arguments[place][0].text not in _CASTS:
            yield from _wrapped(call, place, b"reinterpret_cast<const void *>(")


def _wrapped(call: Call, place: int, opening: bytes) -> Iterator[Change]:
    if len(call.arguments) > place:
        start, end = call.spans[place]
        yield Edit(start, start, opening), Edit(end, end, b")")
