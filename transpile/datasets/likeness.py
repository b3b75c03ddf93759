"""Likeness of texts: the same up to names and layout, nearly the same, or partly the same.

Names are numbered in the order in which they come, so that a copy with other names is a copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from transpile.core import digest
from transpile.errors import UsageError

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"[A-Za-z_]\w*|\.?\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|->|\S")
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """auto bool break case char class const continue default do double else enum extern false float
        for if inline int long namespace new operator return short signed sizeof static struct switch
        template this true typedef typename union unsigned using void volatile while
        blockIdx blockDim gridDim threadIdx pragma omp parallel reduction include define""",
    )
)
_BUILT_IN = re.compile(r"__\w+|atomic[A-Z]\w*|cuda\w*|hip\w*|std|size_t|u?int\d+_t|float\d|double\d")
_SHINGLE = 5
"""Tokens that are looked at together."""
_PERMUTATIONS = 128


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, comments left out and names numbered; those of members stay."""
    return _numbered(_raw(text))


def _raw(text: str) -> list[str]:
    return _TOKEN.findall(_COMMENT.sub(" ", text))


def _numbered(raw: Sequence[str], before: str = "") -> list[str]:
    """Return tokens with names numbered in their order; before is what stands ahead of the first."""
    numbers: dict[str, str] = {}
    found = []
    for token in raw:
        named = token[0].isalpha() or token[0] == "_"
        plain = not named or token in _KEYWORDS or _BUILT_IN.fullmatch(token) or before in (".", "->")
        found.append(token if plain else numbers.setdefault(token, f"n{len(numbers)}"))
        before = token
    return found


def fingerprint(text: str) -> str:
    """Return what texts share that are the same up to names, comments and layout."""
    return digest(*tokens(text))


def shingles(found: Sequence[str], length: int = _SHINGLE) -> set[bytes]:
    """Return the runs of so many tokens; of a text with fewer all of it."""
    last = max(len(found) - length + 1, 1)
    return {" ".join(found[start : start + length]).encode() for start in range(last)}


def groups(texts: Sequence[str], near: float) -> list[int]:
    """Return for each text the number of its group: of the first text that it is like, at any remove.

    Args:
        texts: What is compared.
        near: The share of runs of tokens (Jaccard) from which on two are alike.
    """
    try:
        from datasketch import MinHash, MinHashLSH
    except ImportError as error:
        raise UsageError(
            "near duplicates are found by the package 'datasketch'",
            hint="Install it: pip install 'transpile[pairs]'",
        ) from error
    index = MinHashLSH(threshold=near, num_perm=_PERMUTATIONS)
    parents: list[int] = []
    known: list[set[bytes]] = []
    for number, text in enumerate(texts):
        runs = shingles(tokens(text))
        sketch = MinHash(num_perm=_PERMUTATIONS)
        sketch.update_batch(sorted(runs))
        parents.append(number)
        # Sketches propose; runs decide, so that what is called alike is.
        for other in map(int, index.query(sketch)):
            if jaccard(runs, known[other]) >= near:
                parents[_root(parents, number)] = _root(parents, other)
        index.insert(str(number), sketch)
        known.append(runs)
    return [_root(parents, number) for number in range(len(parents))]


def jaccard(first: set[bytes], second: set[bytes]) -> float:
    """Return the share of what two sets have in common."""
    return len(first & second) / max(len(first | second), 1)


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        number = parents[number]
    return number


def windows(text: str, length: int) -> Iterator[bytes]:
    """Yield the runs of so many tokens, names numbered within each: of any part of any text."""
    raw = _raw(text)
    for start in range(max(len(raw) - length + 1, 0)):
        before = raw[start - 1] if start else ""
        yield " ".join(_numbered(raw[start : start + length], before)).encode()
