"""Sources of HIP in CUDA's words, by the names that the emulator's own headers give HIP's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from transpile import simt
from transpile.code.conditionals import open_conditionals
from transpile.code.edits import Edit, apply, line_ends
from transpile.code.lexer import Token, closing, every_word, split, tokenize

INCLUDES_HIP = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"]hip/", re.MULTILINE)
INCLUDES_CUDA = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[<\"](?:cuda|cub/|cu[a-z]+[._]|nv)", re.MULTILINE)
_OF_HIP = re.compile(rb"hip[A-Z]|HIP_")
_OF_CUDA = re.compile(rb"\bcuda[A-Z]\w+")
_DEFINED = re.compile(rb"^#define[ \t]+(\w+)[ \t]+([\w.]+)[ \t]*$", re.MULTILINE)
_OTHERS = {b"hipHostMalloc": b"cudaMallocHost"}
"""Names of which the emulator has templates."""
_CONDITION = re.compile(rb"^([ \t]*#[ \t]*)(if|ifdef|ifndef|elif)\b((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
_ASKED = re.compile(rb"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))|\b([A-Za-z_]\w*)\b")
_COMPILERS = {
    **dict.fromkeys((b"__HIPCC__", b"__HIP__", b"__HIP_PLATFORM_AMD__"), b"1"),
    **{b"HIP_VERSION_MAJOR": b"6", b"HIP_VERSION_MINOR": b"2", b"HIP_VERSION": b"60200000"},
    **dict.fromkeys((b"__CUDACC__", b"__NVCC__", b"CUDART_VERSION", b"CUDA_VERSION"), b"0"),
    **dict.fromkeys((b"__CUDA_ARCH__", b"__HIP_DEVICE_COMPILE__", b"__HIP_PLATFORM_NVIDIA__"), b"0"),
}
"""Macros of AMD's compiler, and 0 for those that it does not define."""
_LAUNCH = b"hipLaunchKernelGGL"
_SYMBOL = b"HIP_SYMBOL"
"""Stands around variables of the device, which CUDA's calls take by their names."""
_PARTS = 4
"""Grid, block, shared memory and stream, all of which such a launch gives."""
_HOLDS_COMMAS = b"HIP_KERNEL_NAME"


def hip_files(code: Mapping[str, bytes]) -> frozenset[str]:
    """Return the files of HIP: those that include its headers and have no word of CUDA.

    Where nothing of a source is CUDA, all of it is HIP. What has branches for both is neither.
    """
    hip = {path for path, data in code.items() if _includes_hip(data)}
    cuda = {path for path, data in code.items() if INCLUDES_CUDA.search(data) or _OF_CUDA.search(data)}
    return frozenset(hip - cuda if cuda else code if hip else ())


def _includes_hip(data: bytes) -> bool:
    """Tell whether a file includes a header of HIP whatever the build defines, guards of headers aside."""
    found = INCLUDES_HIP.search(data)
    return found is not None and not open_conditionals(data[: found.start()])


def in_cuda(data: bytes) -> bytes:
    """Return a text of HIP that launches and calls the runtime as CUDA does; lines keep their numbers.

    Headers stay HIP's. Conditions on the compiler are those of AMD's, which the emulator is not.
    """
    data = _CONDITION.sub(_decided, data)
    if not _OF_HIP.search(data):
        return data
    names = {**_names(), _SYMBOL: b""}
    edits = [
        Edit(token.start, token.end, names[token.text]) for token in every_word(data) if token.text in names
    ]
    text = apply(data, edits)
    launches = [edit for stream in tokenize(text).streams for edit in _launches(text, stream)]
    return apply(text, launches)


def _decided(condition: re.Match[bytes]) -> bytes:
    """Return a condition with numbers in place of the macros of compilers."""
    head, word, asked = condition[1], condition[2], condition[3]
    if word in (b"ifdef", b"ifndef"):
        name = asked.split(b"//")[0].split(b"/*")[0].strip()
        value = _COMPILERS.get(name)
        if value is None:
            return condition[0]
        holds = (value != b"0") is (word == b"ifdef")
        return head + b"if" + asked.replace(name, b"1" if holds else b"0", 1)

    def number(match: re.Match[bytes]) -> bytes:
        name = match[1] or match[2] or match[3]
        value = _COMPILERS.get(name)
        if value is None or match[3]:
            return value or match[0]
        return b"0" if value == b"0" else b"1"

    return head + word + _ASKED.sub(number, asked)


def _launches(data: bytes, tokens: Sequence[Token]) -> Iterator[Edit[bytes]]:
    """Yield the edits that make launches by name ones of triple brackets."""
    for index, token in enumerate(tokens[:-1]):
        called = token.text == _LAUNCH and tokens[index + 1].text == b"("
        close = closing(tokens, index + 1) if called else None
        parts = split(tokens[index + 2 : close]) if close is not None else []
        if close is None or len(parts) <= _PARTS or not all(parts):
            continue
        kernel = _bare(parts[0])
        first, last = parts[1][0].start, parts[_PARTS][-1].end
        arguments = parts[_PARTS + 1][0].start if len(parts) > _PARTS + 1 else tokens[close].start
        for begin, end, new in (
            (token.start, kernel[0].start, b""),
            (kernel[-1].end, first, b"<<<"),
            (last, arguments, b">>>("),
        ):
            yield Edit(begin, end, new + line_ends(data[begin:end]))


def _bare(kernel: Sequence[Token]) -> Sequence[Token]:
    """Return a kernel without what only holds the commas of its template arguments together."""
    first = 1 if kernel[0].text == _HOLDS_COMMAS else 0
    wrapped = kernel[first:][:1] and kernel[first].text == b"(" and closing(kernel, first) == len(kernel) - 1
    return kernel[first + 1 : -1] or kernel if wrapped else kernel


@cache
def _names() -> Mapping[bytes, bytes]:
    """Return CUDA's name for each of HIP's that the emulator has."""
    folder = simt.include_directory() / "hip"
    texts = [(folder / name).read_bytes() for name in ("names.h", "hip_runtime.h")]
    return {name: cuda for text in texts for name, cuda in _DEFINED.findall(text)} | _OTHERS
