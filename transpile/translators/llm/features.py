"""Features of a unit's text: rules and examples are shown to a model for those that are there."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FEATURES: Mapping[str, str] = {
    "barriers": r"__sync(?:threads|warp)\w*|\.sync\(\)|\bsync\(|__shared__",
    "shuffles": r"__(?:shfl|ballot|any|all|match|activemask|reduce)\w*|\.shfl"
    r"|tiled_partition|coalesced_threads",
    "atomics": r"\batomic[A-Z]\w*",
    "swaps": r"\batomic(?:CAS|Inc|Dec|Exch)\b",
    "grid": r"\bgrid_group\b|\bthis_grid\b|__threadfence\b",
    "textures": r"\btex(?:1D|2D|3D)\w*|\bcudaTextureObject_t\b",
}
"""Words that show each of them."""
_CODE = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def features(text: str) -> dict[str, bool]:
    """Tell of each feature whether a text has it, comments aside."""
    code = _CODE.sub(" ", text)
    return {name: re.search(pattern, code) is not None for name, pattern in _FEATURES.items()}
