"""Options of a port, and the observer of its progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from pydantic import ConfigDict

from transpile.contracts.user import UnitSettings
from transpile.core import OPENMP, Dialect, Evidence, Level, Source, Transformation
from transpile.sizes import size_of

PROVE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """Which language models are asked, for what, and what they may use up."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    use: tuple[str, ...] = ()
    """Such as ``openai:NAME@URL``; several answer in turn. None: rules alone."""
    testers: tuple[str, ...] = ()
    """Models that write tests for what trials leave open. None: trials are generated alone."""
    first: bool = False
    """Ask a model of every unit, and rules where it fails; not the other way round."""
    only: bool = False
    """Ask models alone: what they fail at is not kept."""
    samples: int = 4
    """Answers to each prompt."""
    repairs: int = 2
    """How often a model is told what was wrong."""
    temperature: float = 0.8
    answer_tokens: int = 4096
    """The longest that one answer may be; one of which reasoning took all is asked for again with more."""
    max_tokens: int | None = None
    max_cost: float | None = None
    """In the currency of the prices."""
    prompt_price: float = 0.0
    completion_price: float = 0.0
    """Of a million tokens each."""
    # No translation depends on what follows, so it is in no key: not in what `repr` gives.
    request_timeout: float = field(default=600.0, repr=False)
    """Seconds that an endpoint may be silent."""
    concurrency: int = field(default=8, repr=False)
    """Requests to each endpoint that are under way at once."""
    optimize: tuple[str, ...] = field(default=(), repr=False)
    """Names of transformations that are tried on what is kept; ``all`` for every one of the target."""
    transformations: Path | None = field(default=None, repr=False)
    """The user's own descriptions, beside those that are there or in place of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheOptions:
    """Limits on what is kept between runs."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    limit: str | int | None = None
    """Bytes, or a size such as ``5 GB``."""

    def __post_init__(self) -> None:
        """Refuse what is no size."""
        if self.limit is not None:
            size_of(str(self.limit))

    @property
    def size(self) -> int | None:
        """Return the limit in bytes; None where nothing is said."""
        return None if self.limit is None else size_of(str(self.limit))


@dataclass(frozen=True, slots=True, kw_only=True)
class PortOptions:
    """What the user asked for, command line and configuration merged."""

    cache: Path
    """Where builds and evidence are kept between runs."""
    out: Path | None = None
    target: Dialect = OPENMP
    required: Level = Level.TESTED
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    exclude_files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    opened: tuple[Path, ...] = ()
    """Directories outside of the source that its build may read."""
    runs: tuple[tuple[str, ...], ...] = ()
    """Small runs of the repository's program; empty: what the build files say."""
    carve: tuple[tuple[str, ...], ...] = ()
    """Runs of the repository's program whose launches become trials."""
    units: Mapping[str, UnitSettings] = field(default_factory=dict)
    """Corrections of what is inferred, by unit id or name."""
    settings: Path | None = None
    """The file that they stand in."""
    jobs: int = 1
    seed: int = 0
    clocks: bool = True
    """Where several translations passed, time them and keep the fastest."""
    prove: float = PROVE_SECONDS
    """Seconds that z3 may take to prove something of a unit that passed its trials; 0 for no proofs."""
    models: ModelOptions = field(default_factory=ModelOptions)
    optimize: tuple[Transformation, ...] = ()
    """What models are to do with translations that are kept, in order."""
    extract: bool = False
    """Judge loops of functions that cannot be judged as a whole as functions of their own."""
    fallback: Literal["simt", "none"] = "simt"
    sequential: bool = False
    """In a port to a device, functions are kept that one thread of it runs alone."""
    unproven: bool = False
    """In a port to HIP, kernels that are not kept are translated all the same."""
    unsafe: bool = False
    afresh: bool = False
    """Judge what was judged before, too."""


class Observer(Protocol):
    """Who is told how the work goes on; the terminal progress is one."""

    def stage(self, name: str, total: int) -> None:
        """Begin a stage of that many steps."""

    def found(self, source: Source) -> None:
        """Learn what was parsed."""

    def judged(self, evidence: Evidence, *, known: bool) -> None:
        """Learn of a verdict on a unit with which something is done yet, such as timing it."""

    def decided(self, evidence: Evidence, *, known: bool) -> None:
        """Learn of what counts of a unit; known where an earlier run had decided it."""


class Silent(Observer):
    """Nobody: for whoever waits for the result alone."""

    def stage(self, name: str, total: int) -> None:
        """Say nothing."""

    def found(self, source: Source) -> None:
        """Say nothing."""

    def judged(self, evidence: Evidence, *, known: bool) -> None:
        """Say nothing."""

    def decided(self, evidence: Evidence, *, known: bool) -> None:
        """Say nothing."""
