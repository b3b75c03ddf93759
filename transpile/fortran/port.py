"""The files of a port of a Fortran library: C++ of what is kept, the Fortran that is left, a Makefile."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from transpile import foreign
from transpile.core import Diagnostic
from transpile.errors import InternalError
from transpile.fortran.makefile import BESIDE, FORTRAN, PROGRAMS, REPLACED, Parts, makefile
from transpile.fortran.programs import headers
from transpile.fortran.sources import beside
from transpile.fortran.translation import Translated, translated
from transpile.parsers.fortran.state import linked_block

_BLOCK_DATA = re.compile(r"^[ \t]*block[ \t]*data\b", re.IGNORECASE | re.MULTILINE)
_C_MAIN = re.compile(rb"\bmain\s*\(")
_REMARK = re.compile(r"^[ \t]*!.*", re.MULTILINE)
_WITH_CODE = re.compile(
    r"\b(?:allocatable|pointer|target|extends|abstract|class|final|bind|submodule|threadprivate|deferred)\b"
    r"|\bprocedure\b[^\n]*::",
    re.IGNORECASE,
)
"""Words of modules that have tables, finalizers or variables which a translation does not share."""
_MODULE = re.compile(r"^[ \t]*module\b", re.IGNORECASE | re.MULTILINE)


def files(root: Path, found: Translated, kept: Collection[str], *, unsafe: bool) -> dict[str, bytes]:
    """Return the files of a port.

    Args:
        root: Where the source is.
        found: All of it, translated.
        kept: Qualified names of the routines that C++ takes the place of.
        unsafe: Translate without the sandbox.
    """
    kept = _sharing(found, kept)
    left = _left(found, kept)
    described = _described(found, left)
    exported = {item.name for item in found.interfaces if item.name in kept}
    replaced = {
        item.symbol: item.file for item in found.interfaces if item.name in kept and item.file in left
    }
    called = _with_callees(found, kept)
    known = {item.name for item in found.interfaces if "::" not in item.name}
    leave = (known | {name for name, _ in found.refused}) - called
    again = translated(root, [*found.sources], wanted=exported or {""}, leave=leave, unsafe=unsafe)
    if isinstance(again, Diagnostic):
        raise InternalError(f"what is kept has no translation of its own: {again.message}")
    for item in found.interfaces:
        if item.name in called and definition(again.text, item.target) != definition(found.text, item.target):
            raise InternalError(
                f"the translation of {item.name} alone is another than the one that was judged"
            )
    text = _taking_over(_giving_way(again.text, [found.sources[name] for name in left]), replaced)
    result = {"routines.cpp": text.encode("latin-1", "replace")} | headers()
    if replaced:
        result[REPLACED] = "".join(f"{symbol}\n" for symbol in sorted(replaced)).encode()
    for name in (*left, *described):
        result[f"{FORTRAN}/{name}"] = found.sources[name].encode("latin-1")
    for main in found.programs:
        result[f"{PROGRAMS}/{main.name}"] = main.text.encode("latin-1")
    others = {name: foreign.read(root, name) for name in beside(root)}
    result |= {f"{BESIDE}/{name}": text for name, text in others.items()}
    parts = Parts(
        fortran=[name for name in found.sources if name in left or name in described],
        described=described,
        programs=[main.name for main in found.programs],
        mixed=set(replaced.values()),
        beside=[name for name, text in others.items() if not _C_MAIN.search(text)],
    )
    result["Makefile"] = makefile(root, parts).encode()
    return result


def definition(text: str, target: str) -> str:
    """Return the definitions of a function, by its qualified name, in a translation."""
    name = re.escape(target.rpartition("::")[2])
    return "\n".join(
        found[0]
        for found in re.finditer(rf"^(?!extern)[^\s/}}].*\b{name}\(.*\{{\n(?:.*\n)*?\}}$", text, re.MULTILINE)
    )


def _sharing(found: Translated, kept: Collection[str]) -> set[str]:
    """Return the kept routines without those of which Fortran that is left would have a state of its own.

    A local variable that keeps its value is another one in each language.
    """
    result = set(kept)
    lasting = {item.name: item.file for item in found.interfaces if item.lasting}
    while True:
        left = set(_left(found, result))
        apart = {name for name, file in lasting.items() if file in left}
        gone = {name for name in result if apart & _with_callees(found, [name])}
        if not gone:
            return result
        result -= gone


def _taking_over(text: str, symbols: Collection[str]) -> str:
    """Return a translation whose functions take the place of those in objects of the Fortran that is left."""
    for symbol in symbols:
        own = rf'^extern "C" \[\[gnu::weak\]\] (.*\b{re.escape(symbol)}\()'
        text = re.sub(own, r'extern "C" \1', text, flags=re.MULTILINE)
    return text


def _left(found: Translated, kept: Collection[str]) -> list[str]:
    """Return the files that stay Fortran, in order: those with anything that is not kept.

    A file whose routines all stand in others as well is left out: a library has each of them once.
    """
    refused = {why.path for _, why in found.refused}
    known = {item.file for item in found.interfaces}
    unkept = {item.file for item in found.interfaces if item.name not in kept}
    doubled = {
        why.path for _, why in found.refused if why.path not in known and "is defined twice" in why.message
    }
    beside = {name for name, text in found.sources.items() if name not in known and not _of_block_data(text)}
    left = (unkept | refused | beside) - doubled
    if left or found.programs:
        left |= {name for name, text in found.sources.items() if _MODULE.search(text) and _needed(text)}
    return [name for name in found.sources if name in left]


def _described(found: Translated, left: Collection[str]) -> list[str]:
    """Return the files of modules that are C++ as a whole, which Fortran that is left may use all the same.

    For it gfortran makes of them what says which names they have, and no code.
    """
    if not left and not found.programs:
        return []
    return [name for name, text in found.sources.items() if _MODULE.search(text) and name not in left]


def _needed(text: str) -> bool:
    """Tell whether a module may have code or data of gfortran's, beside procedures and plain variables."""
    return _WITH_CODE.search(_REMARK.sub("", text)) is not None


def _of_block_data(text: str) -> bool:
    """Tell whether a file that has no routines gives initial values to common blocks: C++ does so as well."""
    return _BLOCK_DATA.search(text) is not None and _MODULE.search(text) is None


def _giving_way(text: str, left: Collection[str]) -> str:
    """Return a translation whose common blocks give way to those with values in the Fortran that is left."""
    for fortran in left:
        if _BLOCK_DATA.search(fortran):
            for name in set(re.findall(r"/[ \t]*(\w*)[ \t]*/", fortran)):
                linked = f'("{linked_block(name.lower() or "blank")}")'
                text = text.replace(f"FORTRAN_BLOCK{linked}", f"FORTRAN_SYMBOL{linked}")
    return text


def _with_callees(found: Translated, kept: Collection[str]) -> set[str]:
    """Return the kept routines and all that they call."""
    by_name = {item.name: item for item in found.interfaces}
    result: set[str] = set()
    waiting = [name for name in kept if name in by_name]
    while waiting:
        name = waiting.pop()
        if name not in result:
            result.add(name)
            waiting.extend(item for item in by_name[name].callees if item in by_name)
    return result
