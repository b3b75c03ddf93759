"""A library of Fortran routines as C++: each routine judged by trials, and called by its old name.

What is kept takes the place of the Fortran routine for whoever links the library; what is not kept stays
Fortran, and both are built into one library.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from transpile.core import Diagnostic, Falsified, Inconclusive, Level, Rejected, Verdict
from transpile.core.verdict import reaches
from transpile.errors import MachineFault
from transpile.fortran import port as writing
from transpile.fortran.translation import NOT_TRANSLATED, Translated, told, translated
from transpile.parsers.fortran.interfaces import Interface
from transpile.testers.fortran import libraries
from transpile.testers.fortran.calls import Bench
from transpile.testers.fortran.entries import entries
from transpile.testers.fortran.extremes import Reversed
from transpile.testers.fortran.libraries import Failed, Side, Texts
from transpile.testers.fortran.verdicts import Case, judge
from transpile.toolchains import native
from transpile.toolchains.workshop import Workshop
from transpile.translators.fortran.headers import HEADERS

CALLS_WHAT_IS_NOT_KEPT = "TP605"
DIFFERENT = "TP601"
_MOST_BUILDS = 12
_SECONDS = 2.0
"""Of a processor, for a call."""
_SOURCE_ERROR = re.compile(r"source(\d+)\.\w+:")
_MODULE = re.compile(r"^\s*module\b", re.IGNORECASE | re.MULTILINE)
_BLOCK_DATA = re.compile(r"^\s*block\s*data\b", re.IGNORECASE | re.MULTILINE)
"""Files that hold what others need without calling it."""
_CANDIDATE_ERROR = re.compile(r"candidate\.cpp:(\d+):\d+: (?:fatal )?error")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineResult:
    """A routine and what was shown of its translation."""

    name: str
    file: str
    line: int
    verdict: Verdict

    @property
    def kept(self) -> bool:
        """Tell whether it is kept."""
        return reaches(self.verdict, Level.TESTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryPort:
    """The routines of a library, and the files of its port where any is kept."""

    results: tuple[RoutineResult, ...]
    files: dict[str, bytes]


Tell = Callable[[RoutineResult], None]


def port(
    root: Path,
    found: Translated,
    *,
    workshop: Workshop,
    only: Sequence[str] = (),
    tell: Tell = lambda _: None,
) -> LibraryPort:
    """Judge the routines of a library, and port those that pass.

    Args:
        root: Where its files are.
        found: Its translation.
        workshop: Where it is built and called.
        only: Names or patterns of the routines to port, with what they call; all where it is empty.
        tell: Told of each routine as it is decided.

    Raises:
        ToolMissing: There is no gfortran, no g++ or no sandbox on this machine.
    """
    session = _Session(root, found, replace(workshop, timeout=_SECONDS))
    results = session.results(only, tell)
    kept = {item.name for item in results if item.kept and _asked(item.name, only)}
    files = writing.files(root, session.found, kept, unsafe=workshop.unsafe) if kept else {}
    return LibraryPort(results=tuple(results), files=files)


def judged(root: Path, found: Translated, *, workshop: Workshop) -> dict[str, Verdict]:
    """Return the verdicts on the routines of a library by their names; raises ToolMissing as `port` does."""
    results = _Session(root, found, replace(workshop, timeout=_SECONDS)).results((), lambda _: None)
    return {item.name: item.verdict for item in results}


def _asked(name: str, only: Sequence[str]) -> bool:
    return not only or any(fnmatchcase(name.lower(), pattern.lower()) for pattern in only)


class _Session:
    """The builds of a library and the verdicts on its routines."""

    def __init__(self, root: Path, found: Translated, workshop: Workshop) -> None:
        self.root = root
        self.found = found
        self.workshop = workshop
        self.failures: list[RoutineResult] = []
        """Routines that one of the compilers does not take."""

    def results(self, only: Sequence[str], tell: Tell) -> list[RoutineResult]:
        """Return the verdicts on routines, on what they call first."""
        with tempfile.TemporaryDirectory(dir=self.workshop.scratch(), prefix="fortran-") as name:
            return self._results(only, tell, Path(name).resolve())

    def _results(self, only: Sequence[str], tell: Tell, folder: Path) -> list[RoutineResult]:
        built = self._bench(folder) if self.found.interfaces else None
        refused = [
            RoutineResult(name=name, file=why.path, line=why.line, verdict=_rejected(why))
            for name, why in self.found.refused
            if _asked(name, only)
        ]
        done: dict[str, RoutineResult] = {}
        for item in (*self.failures, *refused):
            tell(item)
        if built is None:
            return [*self.failures, *refused]
        bench, texts = built
        other = Reversed(texts=texts, folder=folder / "reversed", unsafe=self.workshop.unsafe)
        order = callees_first(self.found.interfaces, only)
        with ThreadPoolExecutor(self.workshop.jobs) as pool:
            verdicts = pool.map(judge, [self._case(item, bench, texts, other, folder) for item in order])
            for interface, verdict in zip(order, verdicts, strict=True):
                done[interface.name] = RoutineResult(
                    name=interface.name,
                    file=interface.file,
                    line=interface.line,
                    verdict=with_callees(verdict, interface, done),
                )
                tell(done[interface.name])
        return [*self.failures, *refused, *done.values()]

    def _case(self, interface: Interface, bench: Bench, texts: Texts, other: Reversed, folder: Path) -> Case:
        return Case(
            bench=bench,
            interface=interface,
            number=self.found.interfaces.index(interface),
            stem=Path(libraries.compiled_as(texts, interface.file)).stem,
            folder=folder,
            texts=texts,
            other=other,
            origins=self.found.origins,
        )

    def _bench(self, folder: Path) -> tuple[Bench, Texts] | None:
        """Build all libraries; what a compiler does not take is left out."""
        left: set[str] = set()
        for turn in range(_MOST_BUILDS):
            texts = self._texts()
            place = folder / str(turn)
            place.mkdir()
            built = {}
            for side in Side:
                library = libraries.build(place, texts, side, unsafe=self.workshop.unsafe)
                if isinstance(library, Failed):
                    left |= self._blame(library, side, texts)
                    break
                built[side] = library
            else:
                return Bench(workshop=self.workshop, libraries=built), texts
            self._translate_without(left)
            if not self.found.interfaces:
                break
        return None

    def _texts(self) -> Texts:
        files = {item.file for item in self.found.interfaces}
        without = {why.path for _, why in self.found.refused}
        top = self.root if self.root.is_dir() else self.root.parent
        return Texts(
            source={
                name: text
                for name, text in self.found.sources.items()
                if name in files or _BLOCK_DATA.search(text) or (_MODULE.search(text) and name not in without)
            },
            candidate=self.found.text,
            entries=entries(self.found.interfaces),
            headers=HEADERS,
            top=top.resolve(),
        )

    def _blame(self, failed: Failed, side: Side, texts: Texts) -> set[str]:
        """Return the names of the program units that a compiler does not take.

        Raises:
            MachineFault: It names none of them.
        """
        names = list(texts.source)
        guilty = [
            names[int(number)] for number in _SOURCE_ERROR.findall(failed.output) if int(number) < len(names)
        ]
        lines = [int(number) for number in _CANDIDATE_ERROR.findall(failed.output)]
        units = [item for item in self.found.interfaces if item.file in guilty]
        units += [item for line in lines[:1] for item in self._translated_at(line)]
        if not units:
            raise MachineFault(f"the {side} library does not build: {failed.complaint}", hint=native.HINT)
        who = "source" if side in (Side.SOURCE, Side.CHECKED, Side.TRACED, Side.COUNTED) else "translation"
        left = {_unit(item) for item in units}
        for item in self.found.interfaces:
            if item in units:
                detail = f"the {who} does not build: {failed.complaint}"
            elif _unit(item) in left:
                detail = f"the module `{_unit(item)}` is left out, since the {who} of it does not build"
            else:
                continue
            why = told(item.file, item.line, NOT_TRANSLATED, detail)
            self.failures.append(
                RoutineResult(name=item.name, file=item.file, line=item.line, verdict=_rejected(why))
            )
        return left

    def _translated_at(self, line: int) -> list[Interface]:
        """Return the routine whose translation, or whose call by Fortran, holds a line."""
        before = self.found.text.split("\n")[:line]
        for text in reversed(before):
            for item in self.found.interfaces:
                own = item.target.rpartition("::")[2]
                if (
                    text
                    and not text.startswith((" ", "}", "//"))
                    and re.search(rf"\b(?:{re.escape(own)}|{re.escape(item.symbol)})\(", text)
                ):
                    return [item]
        return []

    def _translate_without(self, left: Collection[str]) -> None:
        gone = {item.name for item in self.failures} | {name for name, _ in self.found.refused}
        again = translated(self.root, [*self.found.sources], leave=left, unsafe=self.workshop.unsafe)
        assert isinstance(again, Translated)
        fresh = tuple((name, why) for name, why in again.refused if name not in gone and name not in left)
        self.found = replace(again, refused=(*self.found.refused, *fresh))


def with_callees(verdict: Verdict, interface: Interface, done: Mapping[str, RoutineResult]) -> Verdict:
    """Return the verdict on a routine, which passes only if all that it calls did."""
    lacking = [name for name in interface.callees if name in done and not done[name].kept]
    if not lacking or not reaches(verdict, Level.TESTED):
        return verdict
    named = ", ".join(f"`{name}`" for name in lacking)
    return Inconclusive(reason=f"it calls {named}, which is not kept", code=CALLS_WHAT_IS_NOT_KEPT)


def _unit(interface: Interface) -> str:
    """Return the name of the program unit that a routine stands in: its module, or itself."""
    return interface.name.partition("::")[0]


def _rejected(why: Diagnostic) -> Rejected:
    return Rejected(stage="translation", diagnostics=(why,))


def callees_first(interfaces: Sequence[Interface], only: Sequence[str]) -> list[Interface]:
    """Return the routines that are asked for and all that they call, callees first."""
    by_name = {item.name: item for item in interfaces}
    ordered: dict[str, Interface] = {}
    open_now: set[str] = set()

    def add(item: Interface) -> None:
        if item.name in ordered or item.name in open_now:
            return
        open_now.add(item.name)
        for name in item.callees:
            if name in by_name:
                add(by_name[name])
        ordered[item.name] = item

    for item in interfaces:
        if _asked(item.name, only):
            add(item)
    return list(ordered.values())


def reason(verdict: Verdict) -> tuple[str, str]:
    """Return the code and the words for a verdict other than a pass."""
    match verdict:
        case Falsified(counterexample=example):
            given = example.trial.template_arguments or "no scalars"
            told_of = f"{example.where} is {example.got} instead of {example.expected}"
            return (
                DIFFERENT,
                f"falsified ({example.check}): {told_of}, for {given} (seed {example.trial.seed})",
            )
        case Inconclusive(reason=why, code=code):
            return code, f"inconclusive: {why}"
        case Rejected(diagnostics=diagnostics):
            return diagnostics[0].code, diagnostics[0].message
        case _:
            return "", "passed"
