"""Policy for translations of kernels: no threads of their own, processes, files or network.

It also must not promise to the compiler what the source does not promise.

The sandbox keeps such things harmless; here they are refused by name, since a call that fails silently would
leave no trace in the results. A text that hides names by pasting tokens is refused as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from transpile.core import Candidate, Diagnostic, Rejected, Source, Unit, UnitKind
from transpile.parsers.files.branches import compiled
from transpile.parsers.text.kernel_values import used_as_value
from transpile.testers.proposal import Proposal
from transpile.testers.run.promises import kept_apart
from transpile.testers.run.teams import has_teams
from transpile.testers.text.plain import plain
from transpile.testers.text.sides import misplaced
from transpile.testers.text.storage import misplaced_memory

_WORD = re.compile(
    rb"(::\s*)?([A-Za-z_$\x80-\xff][\w$\x80-\xff]*|##|<<<)(?=(\s*\(|\s*::|\s+[A-Za-z_]|\s*\{)?)"
)
_DIRECTIVE = re.compile(
    rb"^[ \t\v\f]*#[ \t\v\f]*(?!(?:pragma|if|ifdef|ifndef|elif|else|endif|error)\b)(\w+)", re.MULTILINE
)
"""Directives that would change what other candidates in the same file mean. An error ends the build."""

_MACRO = re.compile(rb"^[ \t\v\f]*#[ \t\v\f]*(?:define|undef)\b(?:[^\n\\]|\\.|\\\r?\n)*", re.MULTILINE)
"""A macro that begins or ends, with the lines that it goes on for."""

_CONDITION = re.compile(rb"^[ \t\v\f]*#[ \t\v\f]*(?:if|ifdef|ifndef|elif)\b([^\n]*)", re.MULTILINE)
_OPENING = re.compile(rb"[ \t\v\f]*#[ \t\v\f]*if")
_CLOSING = re.compile(rb"[ \t\v\f]*#[ \t\v\f]*endif\b")
_ANY_OPENMP = re.compile(rb"(?:\bdefined\s*\(?\s*|def\s+)_OPENMP\b(?!\s*[<>=!])")

_PRAGMA = re.compile(
    rb"^[ \t\v\f]*#[ \t\v\f]*pragma[ \t\v\f]+"
    rb"(?!(?:omp|unroll|nounroll|ivdep|GCC[ \t]+(?:ivdep|unroll))\b)(\w+)",
    re.MULTILINE,
)
_OPENMP_LINE = rb"^[ \t\v\f]*#[ \t\v\f]*pragma[ \t\v\f]+omp\b[^\n]*?\b"
_CANCELLED = re.compile(_OPENMP_LINE + rb"(cancel(?:lation)?)\b", re.MULTILINE)
"""Directives that OMP_CANCELLATION switches on and off, outside of the program's reach."""
_ALIGNED = re.compile(_OPENMP_LINE + rb"(aligned)[ \t\v\f]*\(", re.MULTILINE)
"""A clause that nobody checks: callers pass any address that is aligned for one element."""
_APART = re.compile(_OPENMP_LINE + rb"(safelen)[ \t\v\f]*\(", re.MULTILINE)
"""The same: whether iterations so far apart may run at once shows on machines with vectors so long alone."""
_INDEPENDENT = re.compile(rb"^[ \t\v\f]*#[ \t\v\f]*pragma[ \t\v\f]+(?:GCC[ \t]+)?(ivdep)\b", re.MULTILINE)
"""No build of ours makes vectors of it, users' may; a sum may stand there, so threads cannot show it."""
_BOUND = re.compile(rb"\b__launch_bounds__\s*\(((?:[^(),]|\([^()]*\))*)")
"""The most threads of a block; what else is said is of use to a compiler alone."""
_COMPILED = re.compile(
    rb"(?:__attribute__\s*\(\(|__declspec\s*\(|gnu\s*::)[^;{}]*?\b_*(target|target_clones|optimize|weakref|alias"
    rb"|ifunc|constructor|destructor|section|symver)_*\b|\b(_Pragma)\b"
)
"""Words that compile a text for other processors, or by other rules, than the build of the port says."""

_DISGUISED = re.compile(rb"""\\|\?\?[=/'()!<>-]|\b(?:u8|[uUL])?R(?=")""")
"""Universal character names, trigraphs and raw strings: spellings that hide what is spelled."""

_BACKSLASH = b"??/"
"""The trigraph that older standards read as one, in literals and comments as well."""

_TELLING = re.compile(
    rb"(?:_*(?:no|disable)_sanitize\w*|_*no_(?:instrument_function|profile_instrument_function|stack_protector)_*"
    rb"|__[almthub]+san_\w+|__(?:sanitizer|gcov)_\w+|Annotate[A-Z]\w*|NDEBUG|source_location|_OPENMP"
    rb"|__(?:SANITIZE|has|OPTIMIZE|NO_INLINE|clang|llvm|GNUC|GNUG|VERSION|INTEL|NVCC|CUDACC|HIPCC|HIP|CUDA_ARCH"
    rb"|FAST_MATH|FINITE_MATH_ONLY|DATE|TIME|TIMESTAMP|FILE|BASE_FILE|LINE|COUNTER|INCLUDE_LEVEL)_\w*"
    rb"|__(?:func|FUNCTION|PRETTY_FUNCTION)__"
    rb"|__builtin_(?:FILE|LINE|FUNCTION|constant_p|return_address|frame_address|object_size|cpu_\w+))\Z"
)
"""Words that tell one build from another, or keep a checker from looking."""

_INEXACT = re.compile(
    rb"(?:__(?:exp|exp10|log|log2|log10|pow|sin|cos|tan|sincos|tanh)f|__fdividef|__(?:native|ocml_native)_\w+"
    rb"|__[fd](?:add|sub|mul|div|ma|maf|rcp|sqrt)_r[zud]|__fmaf_r[zud])\Z"
)
"""Functions that a device computes with fewer digits, or rounds in another way, than the emulator does."""

_ALWAYS = {
    "starts threads of its own": b"pthread_create jthread thrd_create packaged_task",
    "starts or ends processes": (
        b"fork vfork popen execl execlp execle execv execvp execve posix_spawn posix_spawnp"
    ),
    "touches files": (
        b"fopen freopen openat creat unlink ofstream ifstream fstream filesystem mmap shm_open tmpfile"
        b" unlinkat symlink symlinkat linkat mkfifo mkfifoat mknod mknodat renameat renameat2"
        b" ftruncate fcntl ioctl open64 openat64 openat2 fopen64 creat64 dup2 dup3 memfd_create"
    ),
    "uses the network": b"socket sendto recvfrom getaddrinfo",
    "uses the emulator itself": b"simt <<<",
    "depends on its surroundings": (
        b"omp_get_num_procs omp_get_thread_limit omp_get_wtime omp_get_wtick clock_gettime gettimeofday"
        b" chrono timespec_get getrusage random_device getrandom getentropy getpid gettid sched_getcpu"
        b" sysconf get_nprocs uname gethostname environ secure_getenv program_invocation_name __progname"
        b" program_invocation_short_name dl_iterate_phdr dladdr backtrace rdtsc __rdtsc _rdtsc __rdtscp"
    ),
    "bypasses the language": (
        b"asm __asm__ __asm syscall dlopen dlsym dlvsym setjmp longjmp sigaction ptrace prctl _exit"
        b" quick_exit _Exit at_quick_exit atexit on_exit getenv setenv putenv unsetenv ##"
    ),
    "promises that its arrays never overlap": b"restrict __restrict __restrict__",
    "promises an alignment of its arrays": b"__builtin_assume_aligned assume_aligned",
    "resets the device, which frees its callers' memory": b"cudaDeviceReset hipDeviceReset",
}
_LONGEST = 1 << 20
"""Bytes that a translation may have beyond its source: parsers and compilers of endless ones take minutes."""
_HINT = "a translation only computes on its arguments"
_GIVING = re.compile(rb"(?:[=(,&?:{]|\breturn)\Z")
_DECLARING = rb"\b(?:int|long|short|char|bool|float|double|unsigned|signed|auto|const|\w+_t)\b[\s*&\w]*\b%s\b"
_CALLED = {
    "starts threads of its own": b"thread async clone",
    "starts or ends processes": b"system kill raise exit abort",
    "touches files": b"open remove rename mkdir rmdir link truncate dup chmod fchmod",
    "uses the network": b"connect bind listen accept send recv",
    "bypasses the language": b"signal alarm",
    "depends on its surroundings": b"time clock rand random srand drand48 rand_r",
}
"""Words that may be names of variables: they count where they are called, qualified or declare something."""


def _words(groups: Mapping[str, bytes]) -> dict[bytes, str]:
    return {word: what for what, words in groups.items() for word in words.split()}


_ALWAYS_WORDS = _words(_ALWAYS)
_CALLED_WORDS = _words(_CALLED)


def barred(source: Source, proposal: Proposal) -> Rejected | None:
    """Return why a candidate is refused unbuilt: for what it mentions, reaches for or keeps between calls."""
    unit, candidate = proposal.unit, proposal.candidate
    refused = (
        _of_value(source, unit, candidate)
        or refusal(source, unit, candidate)
        or misplaced(source, unit, candidate)
    )
    if refused is not None:
        return refused
    found = [_diagnostic(unit, what, hint) for what, hint in misplaced_memory(source, candidate)]
    return Rejected(stage="policy", diagnostics=tuple(found)) if found else None


def _of_value(source: Source, unit: Unit, candidate: Candidate) -> Rejected | None:
    """Return that a kernel has to stay one, since the program handles it as a value; or None."""
    name = unit.name.rpartition("::")[2]
    if unit.kind is not UnitKind.KERNEL or candidate.binding.kernel:
        return None
    use = used_as_value(source, unit)
    if use is None:
        return None
    where = f"line {use.line} of {use.path}"
    message = f"the program uses the kernel `{name}` as a value ({where}), so launches may not name it"
    hint = f"launch it by its name, `{name}<<<grid, block>>>(...)`, wherever it is meant"
    return Rejected(stage="policy", diagnostics=(unit.diagnostic("TP435", message, hint=hint),))


def refusal(source: Source, unit: Unit, candidate: Candidate) -> Rejected | None:
    """Return why a candidate is refused for what it mentions, or None.

    A name that the source's own text uses too is none of the candidate's doing.
    """
    length = sum(len(item.text) for item in candidate.replacements)
    if length > len(unit.text) + _LONGEST:
        hint = "a translation is about as long as its source"
        told = _diagnostic(unit, f"is {length:,} bytes long", hint)
        return Rejected(stage="policy", diagnostics=(told,))
    own = plain(unit.text)
    known = _names(own) | {word for _, word, _ in _findings(own)}
    silent = b"printf" in _names(plain(compiled(source, unit)))
    device = candidate.dialect.traits.emulated
    known |= {b"<<<"} if device else set()
    # A file of CUDA is built without OpenMP's macro when it is judged, and with it in the port.
    openmp = has_teams(candidate) and unit.kind is UnitKind.FUNCTION
    found = []
    for replacement in candidate.replacements:
        replaced = plain(source.unit(replacement.unit).text)
        code = _without_own_macros(plain(replacement.text), replaced)
        asked = known | _asked_before(code, replaced)
        if _BACKSLASH in replacement.text and _BACKSLASH not in unit.text:
            found.append(_diagnostic(unit, "hides the end of its literals by the trigraph `??/`"))
        silent = silent and b"printf" not in _names(code)
        apart = kept_apart(code) if device and unit.kind is UnitKind.FUNCTION else frozenset()
        for position, word, what in _findings(code, openmp):
            # Rules spell so what PTX and functions of the device say.
            if (
                word not in asked
                and position not in apart
                and not (candidate.by_rules and _INEXACT.match(word))
            ):
                line = code.count(b"\n", 0, position) + 1
                said = word.decode("utf-8", "replace")
                found.append(_diagnostic(unit, f"{what}: `{said}` (its line {line})"))
    if candidate.binding.kernel:
        bounds = {bound for item in candidate.replacements for bound in _bounds(plain(item.text))}
        for bound in sorted(bounds - _bounds(own)):
            what = f"has launch bounds of {bound} threads, and its source does not"
            found.append(_diagnostic(unit, what))
    if silent:
        found.append(_diagnostic(unit, "prints nothing, and its source calls `printf`"))
    return Rejected(stage="policy", diagnostics=tuple(found)) if found else None


def _without_own_macros(code: bytes, own: bytes) -> bytes:
    """Return a text with blanks for its macros, where they begin and end as in the text that it replaces."""
    if [item.split() for item in _MACRO.findall(code)] != [item.split() for item in _MACRO.findall(own)]:
        return code
    return _MACRO.sub(lambda macro: re.sub(rb"[^\n]", b" ", macro.group()), code)


def _bounds(code: bytes) -> set[str]:
    """Return the launch bounds of a plain text, without blanks."""
    return {b"".join(item.split()).decode("utf-8", "replace") for item in _BOUND.findall(code)}


def _names(code: bytes) -> set[bytes]:
    """Return what a text without comments and strings mentions."""
    return {match.group(2) for match in _WORD.finditer(code)}


def _findings(code: bytes, openmp: bool = True) -> Iterator[tuple[int, bytes, str]]:
    """Yield where a plain text oversteps, by which word, and what that does.

    Args:
        code: The text.
        openmp: Its builds have OpenMP, as those of the port do.
    """
    if openmp:
        # Whether there is OpenMP is the build's affair; which version differs among the compilers that judge.
        code = _CONDITION.sub(lambda line: _ANY_OPENMP.sub(_blank, line.group()), code)
    for match in _WORD.finditer(code):
        qualifier, word, follower = match.groups()
        what = _ALWAYS_WORDS.get(word)
        if what is None and (qualifier or follower or _is_passed(code, match)):
            what = _CALLED_WORDS.get(word)
        if what is None and _TELLING.match(word):
            what = "depends on the compiler or the build"
        if what is None and _INEXACT.match(word):
            what = "is less exact on a device than on the emulator"
        if what is not None:
            yield match.start(), word, what
    for match in _DIRECTIVE.finditer(code):
        yield match.start(), b"#" + match.group(1), "changes the meaning of other text"
    for position, word in _conditions(code):
        yield position, word, "depends on the compiler or the build"
    for match in _PRAGMA.finditer(code):
        yield match.start(), b"#pragma " + match.group(1), "changes how other text is compiled"
    for match in _CANCELLED.finditer(code):
        yield match.start(), match.group(1), "ends loops early only if the environment says so"
    for match in _ALIGNED.finditer(code):
        yield match.start(), match.group(1), "promises an alignment of its arrays"
    for match in _APART.finditer(code):
        yield match.start(), match.group(1), "promises how far apart iterations are that depend on each other"
    for match in _INDEPENDENT.finditer(code):
        yield match.start(), match.group(1), "promises that iterations do not depend on each other"
    for match in _COMPILED.finditer(code):
        yield (
            match.start(),
            match.group(1) or match.group(2),
            "changes how or for what it is compiled",
        )
    for match in _DISGUISED.finditer(code):
        yield match.start(), match.group(), "uses a spelling that hides its meaning"
    depth = 0
    for match in re.finditer(rb"[{}]", code):
        depth += 1 if match.group() == b"{" else -1
        if depth < 0:
            yield match.start(), b"}", "closes a brace that it did not open"
            return


def _asked_before(code: bytes, replaced: bytes) -> set[bytes]:
    """Return the project's macros that a text asks about where the one that it replaces does, word for word.

    Nothing tries what a build leaves out, so what stands there has to be as it was.
    """
    if not set(_left_open(code)) <= set(_left_open(replaced)):
        return set()
    return {word for _, word in _conditions(replaced) if not _TELLING.match(word)}


def _left_open(code: bytes) -> Iterator[bytes]:
    """Yield the parts of a text that directives may leave out, with these directives and without blanks."""
    depth, part = 0, b""
    for line in code.splitlines():
        depth += _OPENING.match(line) is not None
        part += b"".join(line.split()) + b"\n" if depth else b""
        if depth and _CLOSING.match(line):
            depth -= 1
            if not depth:
                yield part
                part = b""


def _conditions(code: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the names that directives of a plain text ask about."""
    for match in _CONDITION.finditer(code):
        for word in sorted(_names(match.group(1)) - {b"defined", b"__cplusplus"}):
            yield match.start(1), word


def _is_passed(code: bytes, match: re.Match[bytes]) -> bool:
    """Tell whether a name that may be a function's is used as a value, and no variable of the text has it."""
    before, behind = code[: match.start()].rstrip(), code[match.end() :].lstrip()
    if not _GIVING.search(before[-8:]) or behind[:1] not in (b";", b",", b")"):
        return False
    return not re.search(_DECLARING % re.escape(match.group(2)), code)


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match.group())


def _diagnostic(unit: Unit, what: str, hint: str = _HINT) -> Diagnostic:
    return unit.diagnostic("TP410", f"the translation {what}", hint=hint)
