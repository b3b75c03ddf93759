"""Constants of CUDA's ``math_constants.h`` as standard C++."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from transpile.code.edits import Edit
from transpile.code.syntax import find, replace, source
from transpile.simt import include_directory
from transpile.translators.kernels.draft import Draft

_LITERAL = re.compile(r"^#define (CUDART_\w+) ([\d.]+(?:e[-+]?\d+)?f?)$", re.MULTILINE)
_LIMITS: Mapping[str, tuple[str, str]] = {
    "CUDART_INF_F": ("INFINITY", "<cmath>"),
    "CUDART_NAN_F": ("NAN", "<cmath>"),
    "CUDART_MAX_NORMAL_F": ("FLT_MAX", "<cfloat>"),
    "CUDART_MIN_DENORM_F": ("std::numeric_limits<float>::denorm_min()", "<limits>"),
    "CUDART_INF": ("std::numeric_limits<double>::infinity()", "<limits>"),
    "CUDART_NAN": ("std::numeric_limits<double>::quiet_NaN()", "<limits>"),
    "CUDART_MIN_DENORM": ("std::numeric_limits<double>::denorm_min()", "<limits>"),
    "CUDART_NEG_ZERO_F": ("(-0.0f)", ""),
    "CUDART_NEG_ZERO": ("(-0.0)", ""),
}
"""Those that are no literals, and the headers that have them."""


def math_constants(draft: Draft) -> Draft:
    """Write CUDA's constants as literals, and limits of types by the standard's names."""
    edits: list[Edit[str]] = []
    headers: set[str] = set()
    for node in find(draft.function.body, "identifier"):
        name = source(node)
        if name in _LIMITS:
            text, header = _LIMITS[name]
            headers |= {header} - {""}
            edits.append(replace(node, text))
        elif name in _literals():
            edits.append(replace(node, _literals()[name]))
    return draft.after("math-constants", draft.function.edited(edits), *headers)


@cache
def _literals() -> Mapping[str, str]:
    """Return the constants that the emulator's own header has as literals."""
    return dict(_LITERAL.findall((include_directory() / "math_constants.h").read_text(encoding="utf-8")))
