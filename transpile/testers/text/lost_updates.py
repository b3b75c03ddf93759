"""Updates in two atomic steps, or under two names: no data race, and what comes between is lost.

Threads hardly ever meet there while they are watched, so that the text is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from transpile.core import Candidate, Inconclusive
from transpile.testers.text.plain import plain

_ATOMIC = r"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+atomic\b[^\n]*\b%s\b[^\n]*\n"
_READ = re.compile((_ATOMIC % "read" + r"[^=;]+=\s*(?P<place>[^;]+);").encode(), re.MULTILINE)
_WRITE = re.compile(
    (_ATOMIC % "write" + r"\s*\{?\s*(?P<place>[^=;]+?)\s*=(?!=)\s*(?P<value>[^;]+);").encode(), re.MULTILINE
)
_CRITICAL = re.compile(
    rb"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+critical\b[ \t]*(?:\([ \t]*(?P<name>\w+)[ \t]*\))?[^\n]*\n",
    re.MULTILINE,
)
_INDEX = rb"(?:\s*\[[^\]]*\])*"
_METHOD = rb"(?P<place>\w+)" + _INDEX + rb"\s*(?:\.|->)\s*"
_REFERRED = rb"atomic_ref\s*(?:<[^;{}]*?>)?\s*[({](?P<place>[^;]*?)[)}]\s*\.\s*"
_LOADS = (
    re.compile(_METHOD + rb"load\s*\("),
    re.compile(_REFERRED + rb"load\s*\("),
    re.compile(rb"\b__atomic_load(?:_n)?\s*\((?P<place>[^,;]*),"),
)
_STORES = (
    re.compile(_METHOD + rb"store\s*\((?P<value>[^,;]*)[,)]"),
    re.compile(_REFERRED + rb"store\s*\((?P<value>[^,;]*)[,)]"),
    re.compile(rb"\b__atomic_store(?:_n)?\s*\((?P<place>[^,;]*),(?P<value>[^,;]*),"),
)
_OBJECT = re.compile(
    rb"\b(?:atomic\s*<[^;{}()]*>|atomic_\w+|_Atomic(?:\s+\w+|\s*\([^()]*\)))[\s*&]+(?P<name>\w+)"
)
_NAME = re.compile(rb"[A-Za-z_]\w*")
_LITERAL = re.compile(rb"(?:true|false|[\d.][\w.]*)\Z")
_CHANGED = re.compile(
    rb"(?<![\w.>])(?P<after>\w+)" + _INDEX + rb"(?:\s*(?:\.|->)\s*\w+)*\s*"
    rb"(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))|(?:\+\+|--)\s*(?P<before>\w+)"
)
_DECLARED = re.compile(rb"\b[A-Za-z_]\w*[\s*&]+(?P<name>\w+)\s*(?:=|;|\[)")


def lost_update(candidate: Candidate) -> Inconclusive | None:
    """Return that threads may come between two steps of an update, as far as the text tells; else None."""
    for item in candidate.replacements:
        text = plain(item.text)
        for name in sorted(_in_two_steps(text)):
            said = f"reads `{name.decode()}` in one atomic step and writes it in another"
            return _inconclusive(f"{said}: what another thread writes between them is lost")
        for name, (one, other) in _under_two_names(text).items():
            said = f"changes `{name.decode()}` in critical sections of different names ({one}, {other})"
            return _inconclusive(f"{said}: these do not exclude each other")
    return None


def _inconclusive(said: str) -> Inconclusive:
    return Inconclusive(reason=f"the translation {said}", code="TP434")


def _in_two_steps(text: bytes) -> set[bytes]:
    """Return what is loaded and stored, each atomically, unless all that is ever stored is one constant."""
    sections = [span for _, span in _sections(text)]
    read = {_root(found["place"]) for pattern in (_READ, *_LOADS) for found in pattern.finditer(text)}
    stored: dict[bytes, set[bytes]] = {}
    for pattern in (_WRITE, *_STORES):
        for found in pattern.finditer(text):
            place = _root(found["place"])
            if not any(
                start <= found.start() < end and _asks(text[start:end], place) for start, end in sections
            ):
                stored.setdefault(place, set()).add(found["value"].strip())
    for name, value in _assigned_objects(text):
        read.add(name)
        stored.setdefault(name, set()).add(value)
    return {name for name, values in stored.items() if name in read and not _is_flag(values)}


def _assigned_objects(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield atomic objects that are assigned to by `=`, and what: every other mention of one reads it."""
    for declared in _OBJECT.finditer(text):
        name = declared["name"]
        assigned = re.compile(rb"(?<![\w.>])%s%s\s*=(?!=)([^;]*);" % (re.escape(name), _INDEX))
        behind = text[declared.end() :]
        found = list(assigned.finditer(behind))
        mentions = len(re.findall(rb"(?<![\w.>])%s\b(?!\s*(?:\.|->))" % re.escape(name), behind))
        if found and mentions > len(found):
            yield from ((name, match[1].strip()) for match in found)


def _root(place: bytes) -> bytes:
    found = _NAME.search(place)
    return found.group() if found is not None else place.strip()


def _is_flag(values: set[bytes]) -> bool:
    return len(values) == 1 and all(_LITERAL.match(value) for value in values)


def _under_two_names(text: bytes) -> Mapping[bytes, tuple[str, str]]:
    """Return what critical sections of different names use, of which at least one changes it."""
    sections = [(name, text[start:end]) for name, (start, end) in _sections(text)]
    found: dict[bytes, tuple[str, str]] = {}
    for name, body in sections:
        for changed in sorted(_changed(body)):
            others = [other for other, using in sections if other != name and changed in _NAME.findall(using)]
            if others:
                found.setdefault(changed, (name, others[0]))
    return found


def _changed(body: bytes) -> set[bytes]:
    changed = {found["after"] or found["before"] for found in _CHANGED.finditer(body)}
    return changed - {found["name"] for found in _DECLARED.finditer(body)}


def _asks(section: bytes, place: bytes) -> bool:
    """Tell whether a critical section looks at a place again before it stores there."""
    return _NAME.findall(section).count(place) > 1


def _sections(text: bytes) -> list[tuple[str, tuple[int, int]]]:
    """Return the critical sections: their names, and where they begin and end."""
    return [
        ((found["name"] or b"no name").decode(), (found.end(), _end(text, found.end())))
        for found in _CRITICAL.finditer(text)
    ]


def _end(text: bytes, start: int) -> int:
    """Return where the statement ends that begins at a place."""
    depth = 0
    for position in range(start, len(text)):
        character = text[position : position + 1]
        depth += (character in (b"{", b"(")) - (character in (b"}", b")"))
        if depth <= 0 and character in (b"}", b";"):
            return position + 1
    return len(text)
