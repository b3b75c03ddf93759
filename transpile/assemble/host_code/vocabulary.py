"""Which names of a text are CUDA's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from itertools import chain

from transpile.code.lexer import Kind, tokenize

RUNTIME_HEADERS = re.compile(
    rb"cuda|cuda_runtime|cuda_runtime_api|cuda_device_runtime_api|device_launch_parameters|driver_types|host_config"
    rb"|host_defines|device_functions|device_atomic_functions|math_functions|math_constants|builtin_types|channel_descriptor"
    rb"|vector_types|vector_functions|cuda_profiler_api|sm_\d+_\w+|crt/\w+|hip/hip_runtime(?:_api)?"
)
"""Headers, without ``.h``, that the emulator's own header stands for."""

OTHER_HEADERS = re.compile(
    rb"cuda_\w+|cooperative_groups(?:/\w+)?|cublas(?:_v2|_api)?|curand\w*|cufft|cusparse(?:_v2)?"
    rb"|library_types|cub/\w+|thrust/\w+|nv\w+/\w+|helper_cuda\w*"
)
"""Headers, without suffix, that only CUDA code needs."""

_VECTOR = r"(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]"
_TYPES = re.compile(rf"{_VECTOR}|make_{_VECTOR}|dim3")
_WORDS = re.compile(
    r"cuda[A-Z]\w*|CUDA[A-Z_]*_H|cu[A-Z][a-z]\w*|CU_\w+|CUDA_\w*SUCCESS|CUDART_\w+"
    r"|__(?:global|device|host|constant|shared|managed|forceinline|noinline|grid_constant)__|__launch_bounds__"
    r"|simt|threadIdx|blockIdx|blockDim|gridDim|warpSize"
    r"|__sync(?:threads|warp)\w*|__threadfence\w*|atomic(?:Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(?:_\w+)?"
    r"|__(?:shfl|ballot|any|all|activemask|match|reduce|popc|clz|ffs|brev|byte_perm|ldg|ldcg|ldca|ldcs|stcs|stwt)\w*"
    r"|__(?:f|d|h|u|s|ll|ull|int|uint|float|double|half|hip|longlong|mul|umul|exp|log|sin|cos|tan|pow|saturate|sincos|cvt|low|high|nv)"
    r"(?:[a-z0-9]*)(?:_\w+|f|2\w+|hi|24|hi64)?"
    r"|__v[a-z]+[24]|clock64|nv_bfloat162?|__half2?|__nv_bfloat162?|cub|thrust|cooperative_groups"
    r"|(?:cublas|curand|cufft|cusparse)\w*|CU(?:BLAS|RAND|FFT|SPARSE)_\w+"
    r"|rsqrtf?|rcbrtf?|sincospif?|sinpif?|cospif?|normcdf\w*|erfcinv\w*|erfinv\w*|__nv_\w+|__assertfail|__nanosleep"
)
_NOT_CUDA = re.compile(
    r"__(?:float128|int128|int128_t|uint128_t|int8|int16|int32|int64|func__|file__|line__)"
)


class Level(IntEnum):
    """How much of CUDA a text needs."""

    NONE = 0
    TYPES = 1
    """Vector types and ``dim3`` only."""
    ALL = 2


def level(data: bytes) -> Level:
    """Return what a text needs, comments and strings left aside."""
    needed = Level.NONE
    own = _own_atomics(data)
    for word in words(data):
        if word in own:
            continue
        if _WORDS.fullmatch(word) and not _NOT_CUDA.fullmatch(word):
            return Level.ALL
        if _TYPES.fullmatch(word):
            needed = Level.TYPES
    half = b"cuda_fp16" in data and "half" in words(data)
    asked = re.search(rb"^[ \t]*#.*\b(?:__CUDACC__|__NVCC__)", data, re.MULTILINE)
    return Level.ALL if half or asked or unqualified_extremes(data) else needed


def asks_for_cuda(data: bytes) -> bool:
    """Tell whether a text needs anything of CUDA, or includes a header of its."""
    return level(data) is not Level.NONE or re.search(rb"#\s*include\s*[<\"]cuda", data) is not None


def _own_atomics(data: bytes) -> frozenset[str]:
    """Return the atomic functions that the text declares itself, beside or instead of CUDA's."""
    if b"atomic" not in data:
        return frozenset()
    tokens = tokenize(data).text
    declared = (
        token.text.decode()
        for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False)
        if token.text.startswith(b"atomic") and after.text == b"("
        if before.kind is Kind.WORD and before.text not in (b"return", b"else", b"do")
    )
    return frozenset(declared)


def words(data: bytes) -> Iterator[str]:
    """Yield the identifiers of the text and of its macro bodies."""
    for token in chain.from_iterable(tokenize(data).streams):
        if token.kind is Kind.WORD:
            yield token.text.decode("utf-8", "surrogateescape")


def unqualified_extremes(data: bytes) -> bool:
    """Tell whether the text calls ``min`` or ``max`` as CUDA offers them, without ``std::``."""
    if not re.search(rb"(?<![\w:.>])(?:min|max)\s*\(", data):
        return False
    if re.search(
        rb"using\s+namespace\s+std\b|using\s+std::m(?:in|ax)\b|#\s*define\s+(?:min|max|MIN)\s*\(", data
    ):
        return False
    tokens = tokenize(data).text
    called = False
    for index, token in enumerate(tokens[:-1]):
        if token.text in (b"min", b"max") and tokens[index + 1].text == b"(":
            previous = tokens[index - 1] if index else None
            if previous is not None and previous.text in (b"::", b".", b"->"):
                continue
            if (
                previous is not None
                and previous.kind is Kind.WORD
                and previous.text not in (b"return", b"else")
            ):
                return False  # its own definition or declaration
            called = True
    return called
