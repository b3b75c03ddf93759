"""Lengths of arrays that questions whether these overlap repeat, as numbers that are reckoned once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from transpile.code.names import free_name, with_number
from transpile.translators.loops.iteration.trips import grouped

_LONG = 30
"""Characters of a length from which on a name tells more."""
_SEVERAL = 2


def shortened(
    conditions: Sequence[str], lengths: Mapping[str, str], taken: Collection[str], number: int
) -> tuple[list[str], list[str]]:
    """Return declarations of long lengths that several conditions name, and these with names for them.

    Args:
        conditions: What is asked, as C.
        lengths: Lengths that stand in that, each with an array that is so long.
        taken: Names that mean something else in the function.
        number: What tells these names from those for other loops.
    """
    declared, texts, names = list[str](), list(conditions), set[str]()
    for length in sorted(lengths, key=lambda text: (-len(text), text)):
        whole = grouped(length)
        if len(length) < _LONG or sum(whole in text for text in texts) < _SEVERAL:
            continue
        array = lengths[length].rpartition(".")[2]
        name = free_name({*taken, *names}, with_number(f"{array}_length", number))
        names.add(name)
        declared.append(f"const long long {name} = {length};")
        texts = [text.replace(whole, name) for text in texts]
    return declared, texts
