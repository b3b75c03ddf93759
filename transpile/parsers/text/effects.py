"""Effects of host functions besides computing on their arguments, found by the names that they call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from transpile.code.lexer import Kind, tokenize

OUTSIDE = "TP421"

_CALLED: Mapping[str, tuple[str, bytes]] = {
    "TP420": (
        "depends on more than its arguments",
        b"rand srand random srandom drand48 lrand48 rand_r time clock gettimeofday clock_gettime getenv"
        b" omp_get_wtime random_device getpid getrusage system_clock steady_clock high_resolution_clock",
    ),
    OUTSIDE: (
        "prints, or reads or writes files",
        b"printf fprintf vprintf puts putchar fputs fputc perror fopen freopen fclose fread fwrite fgets"
        b" fgetc fscanf scanf getchar getline open close read write mmap unlink remove tmpfile fflush system"
        b" popen",
    ),
    "TP422": (
        "starts threads or processes, or handles signals",
        b"pthread_create thrd_create fork vfork execv execve execvp posix_spawn signal sigaction raise kill"
        b" alarm setjmp longjmp sigsetjmp siglongjmp async jthread",
    ),
}
_NAMED: Mapping[str, bytes] = {
    OUTSIDE: b"cout cerr clog cin ifstream ofstream fstream",
    "TP420": b"random_device system_clock steady_clock high_resolution_clock",
    "TP422": b"jthread",
}
"""Words that count wherever they stand."""
_QUALIFIED: Mapping[bytes, str] = {b"thread": "TP422"}
"""Words that count after ``std::``."""

_BY_CALL = {word: code for code, (_, words) in _CALLED.items() for word in words.split()}
_BY_NAME = {word: code for code, words in _NAMED.items() for word in words.split()}
_HINT = re.compile(rb"\b(?:" + b"|".join(sorted({*_BY_CALL, *_BY_NAME, *_QUALIFIED})) + rb")\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something that trials cannot repeat, or that a comparison of results does not see."""

    code: str
    word: str
    start: int
    """Offset of the word in the text."""

    @property
    def what(self) -> str:
        """Return what the code means, as what a source does."""
        return _CALLED[self.code][0]


def effect_of(text: bytes, own: Iterable[bytes] = ()) -> Effect | None:
    """Return the first such thing in a text; names in ``own`` are functions of the source itself."""
    if not _HINT.search(text):
        return None
    known = frozenset(own)
    tokens = tokenize(text).text
    for index, token in enumerate(tokens):
        if token.kind is not Kind.WORD or token.text in known:
            continue
        before = tokens[index - 1].text if index else b""
        after = tokens[index + 1].text if index + 1 < len(tokens) else b""
        if before in (b".", b"->"):
            continue
        code = _BY_NAME.get(token.text)
        if code is None and after == b"(":
            code = _BY_CALL.get(token.text)
        if code is None and before == b"::":
            code = _QUALIFIED.get(token.text)
        if code is not None:
            return Effect(code=code, word=token.text.decode(), start=token.start)
    return None
