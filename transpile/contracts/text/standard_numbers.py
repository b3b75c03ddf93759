"""Numbers behind names of the C library that no file of a repository defines: ``M_PI``, ``DBL_EPSILON``."""

from __future__ import annotations

import math
import sys
from functools import cache

from tree_sitter import Node

from transpile.contracts.text.constants import value_of

_FLOATS = {
    "M_E": math.e,
    "M_LOG2E": math.log2(math.e),
    "M_LOG10E": math.log10(math.e),
    "M_LN2": math.log(2),
    "M_LN10": math.log(10),
    "M_PI": math.pi,
    "M_PI_2": math.pi / 2,
    "M_PI_4": math.pi / 4,
    "M_1_PI": 1 / math.pi,
    "M_2_PI": 2 / math.pi,
    "M_2_SQRTPI": 2 / math.sqrt(math.pi),
    "M_SQRT2": math.sqrt(2),
    "M_SQRT1_2": math.sqrt(0.5),
    "DBL_EPSILON": sys.float_info.epsilon,
    "FLT_EPSILON": 2.0**-23,
    "DBL_MIN": sys.float_info.min,
    "FLT_MIN": 2.0**-126,
}
_WHOLE = {
    "SCHAR_MAX": 127,
    "INT8_MAX": 127,
    "UCHAR_MAX": 255,
    "UINT8_MAX": 255,
    "SHRT_MAX": 32767,
    "INT16_MAX": 32767,
    "USHRT_MAX": 65535,
    "UINT16_MAX": 65535,
    "INT_MAX": 2147483647,
    "INT32_MAX": 2147483647,
    "UINT_MAX": 4294967295,
    "UINT32_MAX": 4294967295,
}


@cache
def standard_numbers() -> dict[str, Node]:
    """Return what the names stand for."""
    spelled = {name: repr(number) for name, number in (*_FLOATS.items(), *_WHOLE.items())}
    found = {name: value_of(number.encode()) for name, number in spelled.items()}
    return {name: node for name, node in found.items() if node is not None}
