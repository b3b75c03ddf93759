"""The source built: one library a flavour for all kernels of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from transpile.contracts.probing.library import source_library
from transpile.core import Signature, Source, TranslationUnit
from transpile.parsers.lowering.copies import watched_copies
from transpile.parsers.lowering.emulation import lower
from transpile.parsers.text.hosts import is_plain
from transpile.testers.run.bench import Entry
from transpile.testers.run.builds import Builds
from transpile.testers.text.conversions import WIDE
from transpile.testers.text.cut_numbers import Cut, cuts_in
from transpile.testers.text.narrow_arithmetic import Arithmetic, arithmetic_in, sizes_of
from transpile.testers.text.widths import widths
from transpile.toolchains.build import BuildFailed, Built, Flavour
from transpile.toolchains.recipes import WIDENED
from transpile.toolchains.workshop import Workshop


class SourceBench:
    """The original kernels of one translation unit, on the emulator."""

    def __init__(
        self,
        workshop: Workshop,
        source: Source,
        unit: TranslationUnit,
        choices: Sequence[Sequence[Signature]],
    ) -> None:
        """Lower the source; nothing is built before it is asked for.

        Args:
            workshop: Where to build.
            source: What the kernels are of.
            unit: The file that holds them.
            choices: Lists of the signatures to build entries for; the first that compiles is taken.
        """
        self._workshop = workshop
        self._source = source
        self._unit = unit
        self._choices = [tuple(choice) for choice in choices]
        self._files = self._lowered()
        self._builds = Builds()
        self._cuts: dict[frozenset[str], frozenset[Cut]] = {}
        self._arithmetic: dict[tuple[str, frozenset[str]], Arithmetic] = {}

    @property
    def texts(self) -> Mapping[str, bytes]:
        """Return the files of the source."""
        return self._source.files

    def begin(self, *flavours: Flavour) -> None:
        """Start builds that will be wanted."""
        for flavour in flavours:
            self._builds.begin((flavour, 0), partial(self._build, flavour, 0))

    def entry(self, signature: Signature, flavour: Flavour) -> Entry | BuildFailed:
        """Return a kernel of the source in a flavour, building its library on first use."""
        failed = BuildFailed(command="", output="no entries")
        for choice, signatures in enumerate(self._choices):
            built = self._builds.get((flavour, choice), partial(self._build, flavour, choice))
            if isinstance(built, Built):
                return Entry(library=built, index=signatures.index(signature))
            failed = built
        if flavour in WIDENED:
            # Not everything in a file bears wider numbers: `check(x, 1e-5f)` of a template, `sizeof(T) <= 4`.
            built = self._builds.get((flavour, signature), partial(self._alone, signature, flavour))
            return Entry(library=built, index=0) if isinstance(built, Built) else built
        return failed

    def index_widths(self, signature: Signature) -> dict[str, frozenset[int]]:
        """Return the sizes of the types by which a function of the source indexes its arrays."""
        named = {position: item.name for position, item in enumerate(signature.parameters)}
        function, plain = signature.name.rpartition("::")[2], is_plain(self._source.units, self._unit.path)
        return widths(self._source.root, self._files, self._unit, function, named, plain=plain)

    def cuts(self, functions: frozenset[str]) -> frozenset[Cut]:
        """Return what functions of the source do to numbers, each file read once."""
        if functions not in self._cuts:
            plain = is_plain(self._source.units, self._unit.path)
            self._cuts[functions] = cuts_in(
                self._source.root, self._files, self._unit, plain=plain, functions=functions
            )
        return self._cuts[functions]

    def _lowered(self, needed: frozenset[str] = frozenset()) -> dict[str, bytes]:
        files = lower(self._source, rename_main=True, needed=needed)
        return watched_copies(files, chain.from_iterable(self._choices), branching=False)

    def arithmetic(self, signature: Signature, functions: frozenset[str]) -> Arithmetic:
        """Return what functions of the source do to the sizes that one of them takes."""
        own, sizes = signature.name.rpartition("::")[2], sizes_of(signature)
        parameters = {at: item.name for at, item in enumerate(signature.parameters) if item.name in sizes}

        def named(function: Any) -> dict[int, str] | None:
            name = str(function.spelling)
            return parameters if name == own else {} if name in functions else None

        key = (signature.name, functions)
        if key not in self._arithmetic:
            self._arithmetic[key] = arithmetic_in(
                self._source.root,
                self._files,
                self._unit,
                named,
                [name for name, size in sizes.items() if size == WIDE],
                plain=is_plain(self._source.units, self._unit.path),
            )
        return self._arithmetic[key]

    def _build(self, flavour: Flavour, choice: int) -> Built | BuildFailed:
        return self._built(self._files, self._choices[choice], flavour)

    def _alone(self, signature: Signature, flavour: Flavour) -> Built | BuildFailed:
        """Build one kernel with what it needs, and traps in place of all else."""
        units = (unit for unit, known in self._source.signatures.items() if signature in known)
        return self._built(self._lowered(frozenset(units)), (signature,), flavour)

    def _built(
        self, files: Mapping[str, bytes], signatures: Sequence[Signature], flavour: Flavour
    ) -> Built | BuildFailed:
        return source_library(self._workshop, self._source, files, self._unit, signatures, flavour)

    def close(self) -> None:
        """Start no further build."""
        self._builds.close()
