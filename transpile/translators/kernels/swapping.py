"""Updates that OpenMP has no atomic form for: computed again until nobody has come between."""

from __future__ import annotations

_ORDER = "__ATOMIC_RELAXED, __ATOMIC_RELAXED"


def swapping(kind: str, address: str, old: str, wanted: str, value: str) -> list[str]:
    """Return the lines that put a value in the place of an old one, which is known by its name afterwards."""
    return [
        f"{kind} {old}, {wanted};",
        f"__atomic_load({address}, &{old}, __ATOMIC_RELAXED);",
        "do {",
        f"    {wanted} = {value};",
        f"}} while (!__atomic_compare_exchange({address}, &{old}, &{wanted}, true, {_ORDER}));",
    ]
