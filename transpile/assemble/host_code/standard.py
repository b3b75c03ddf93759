"""Standard headers that a text needs for the functions it calls."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping

from transpile.assemble.host_code.vocabulary import words
from transpile.parsers.files.includes import closure

_NAMES = {
    "stdio": "printf fprintf sprintf snprintf puts fopen fclose fread fwrite fscanf scanf sscanf "
    "fgets stderr stdout FILE",
    "stdlib": "malloc calloc realloc free exit atoi atol atof strtol rand srand abort qsort getenv "
    "posix_memalign EXIT_FAILURE EXIT_SUCCESS RAND_MAX",
    "string": "memcpy memset memmove memcmp strcmp strncmp strlen strcpy strncpy strcat strstr strerror",
    "math": "sqrt sqrtf fabs fabsf pow powf exp expf log logf sin sinf cos cosf tan tanf floor floorf ceil "
    "ceilf fmin fmax fminf fmaxf round roundf fmod fmodf atan2 atan2f tanh tanhf hypot cbrt isnan isinf M_PI "
    "INFINITY lround",
    "limits": "INT_MAX INT_MIN UINT_MAX CHAR_BIT LONG_MAX",
    "float": "FLT_MAX FLT_MIN FLT_EPSILON DBL_MAX DBL_MIN DBL_EPSILON",
    "assert": "assert",
    "stdint": "uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t",
}
_HEADER_OF = {name: header for header, names in _NAMES.items() for name in names.split()}
_CPP_ONLY = {"chrono": "chrono"}
_C_TOO = ("stddef", "time")
LIBRARY = frozenset(("algorithm", "chrono"))
"""Headers that even the emulator's own header does not bring."""
_QUALIFIED = {
    rb"\bstd::(?:(?:stable_)?sort|(?:fill|copy)(?:_n)?|min(?:max)?(?:_element)?|max(?:_element)?|clamp|transform"
    rb"|reverse|(?:lower|upper)_bound|count(?:_if)?|find(?:_if)?|(?:any|all|none)_of)\b": "algorithm"
}
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


def missing(files: Mapping[str, bytes], path: str) -> set[str]:
    """Return the standard headers that a file uses and neither it nor the files it includes bring."""
    directories = sorted({posixpath.dirname(one) for one in files})
    reached = {path, *closure(files, path, directories)}
    present = {match.group(1).decode() for one in reached for match in _INCLUDED.finditer(files[one])}
    c_style = is_c_style(files[path])
    return {spelled(header, c_style) for header in _needed(files[path]) if not brought(header, present)}


def functions_of(stem: str) -> frozenset[str]:
    """Return the names that a header of C is known to declare, such as ``math``."""
    return frozenset(_NAMES[stem].split())


def is_c_style(data: bytes) -> bool:
    """Tell whether a text includes headers of C by the names that they have there."""
    return any(header.endswith(".h") and _is_c(header) for header in _own(data))


def useful(data: bytes, header: str) -> bool:
    """Tell whether a text uses a name of a standard header; true for headers of which too little is known."""
    stem = _stem(header)
    patterns = [pattern for pattern, own in _QUALIFIED.items() if own == stem]
    if patterns:
        return any(re.search(pattern, data) for pattern in patterns)
    return stem not in _NAMES or any(_HEADER_OF.get(word) == stem for word in words(data))


def _needed(data: bytes) -> set[str]:
    found = {_HEADER_OF.get(word, _CPP_ONLY.get(word, "")) for word in words(data)} - {""}
    return found | {header for pattern, header in _QUALIFIED.items() if re.search(pattern, data)}


def _own(data: bytes) -> Iterator[str]:
    return (match.group(1).decode() for match in _INCLUDED.finditer(data))


def _is_c(header: str) -> bool:
    return header.removesuffix(".h") in _NAMES


def brought(header: str, present: Collection[str]) -> bool:
    """Tell whether a header is among others, by whatever name."""
    return any(name in present for name in (header, f"{header}.h", f"c{header}"))


def spelled(header: str, c_style: bool) -> str:
    """Return what a header is called where C's names are used, or are not."""
    if header not in _NAMES and header not in _C_TOO:
        return header
    return f"{header}.h" if c_style else f"c{header}"


def _stem(header: str) -> str:
    plain = header.removesuffix(".h")
    return plain[1:] if not header.endswith(".h") and plain[:1] == "c" and plain[1:] in _NAMES else plain
