"""``transpile.toml`` or ``[tool.transpile]`` in ``pyproject.toml``, as a frozen ``Config``.

The closest file above the source counts, alone: nothing is merged. What the command line says beats it.
It comes with the repository: it says what the code means. Where data goes and what is spent (``USERS``), the
user says, on the command line or in a configuration of his own.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from transpile import foreign, machine
from transpile.contracts.user import UnitSettings
from transpile.core import Interface, Level
from transpile.errors import ConfigurationError
from transpile.options import CacheOptions, ModelOptions

FILE = "transpile.toml"
PROJECT_FILE = "pyproject.toml"
USERS = ("models", "out", "jobs", "cache")
"""Settings that the file of a repository may not make unless it is trusted."""
_NEVER = ("cache",)
"""Those that it may not make even then: they hold for all that the user ports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What the file says; a field that it does not set keeps its default here."""

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    target: str | None = None
    """Short name of the dialect, as ``--to`` takes it."""
    single_source: bool = False
    """A port to HIP is one text for nvcc and for hipcc."""
    interface: Interface = Interface.HOST
    """Whose memory the functions of a port of C or C++ to CUDA or HIP take."""
    out: Path | None = None
    """Relative to the file."""
    require: Level | None = None
    exclude: tuple[str, ...] = ()
    """Patterns of files that are left alone."""
    flags: tuple[str, ...] = ()
    """Compile flags that say what the source means: see ``parsers.flags``."""
    runs: tuple[str, ...] = ()
    """Command lines of small runs of the repository's programs, as a shell would read them."""
    carve: tuple[str, ...] = ()
    """Command lines of runs whose launches become trials."""
    jobs: int | None = None
    seed: int | None = None
    clocks: bool = True
    """Where several translations passed, the fastest is kept."""
    fallback: Literal["simt", "none"] | None = None
    models: ModelOptions = field(default_factory=ModelOptions)
    """Language models that are asked where rules stop."""
    cache: CacheOptions = field(default_factory=CacheOptions)
    """Limits of the cache, for all that is ported."""
    units: Mapping[str, UnitSettings] = field(default_factory=dict)
    """Corrections of what was inferred, by unit id or name."""
    path: Path | None = field(default=None, metadata={"internal": True})
    """The file itself."""

    @property
    def directory(self) -> Path:
        """Return the directory that relative paths of the file are meant from."""
        return self.path.parent if self.path is not None else Path.cwd()

    @property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        """Return ``runs`` split into words."""
        return split(self.runs)

    @property
    def carvings(self) -> tuple[tuple[str, ...], ...]:
        """Return ``carve`` split into words."""
        return split(self.carve)


def split(commands: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return command lines split into words, as a shell would; ValueError where a quote is not closed."""
    return tuple(tuple(shlex.split(command)) for command in commands)


@cache
def _adapter() -> TypeAdapter[Config]:
    """Return what reads and writes the file; made on first use, since that takes a while."""
    return TypeAdapter(Config)


_MOST_DOTS = 4000
"""Python's parser takes time and memory by the square of a dotted key's parts."""
_OURS = re.compile(rb"\[tool\.transpile\b")
_DEFAULTS = Config()
_KEYS = tuple(item.name for item in fields(Config) if not item.metadata.get("internal"))
_OWN_KEYS = ("models", "jobs", "cache")
_UNIT_KEYS = tuple(item.name for item in fields(UnitSettings))
_CACHE_KEYS = tuple(item.name for item in fields(CacheOptions))
_MODEL_KEYS = tuple(item.name for item in fields(ModelOptions))


def find(start: Path) -> Config:
    """Return the closest configuration at or above a path; the defaults where there is none."""
    for directory in _upward(start):
        if (directory / FILE).is_file():
            return load(directory / FILE)
        project = directory / PROJECT_FILE
        if (
            project.is_file()
            and _may_hold_ours(project)
            and _table_of(project, _foreign(project)) is not None
        ):
            return load(project)
    return Config()


def own_file() -> Path:
    """Return where the user's own configuration is, if there is one."""
    base = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    # A relative path would lead into whatever repository this is run in.
    return (base if base.is_absolute() else Path.home() / ".config") / "transpile" / "config.toml"


def own() -> Config:
    """Return the user's own configuration, for all that he ports; the defaults where there is none."""
    path = own_file()
    return _loaded(path, path.read_bytes(), _OWN_KEYS) if path.is_file() else Config()


def obeyed(found: Config, own: Config, *, trusted: bool) -> tuple[Config, tuple[str, ...]]:
    """Return what counts of a repository's configuration and the user's own, and what is not obeyed.

    Args:
        found: It came with the repository.
        own: Of the user.
        trusted: The user takes responsibility for all that the repository's says.
    """
    said = tuple(name for name in USERS if getattr(found, name) != getattr(_DEFAULTS, name))
    from_file = frozenset(said if trusted else ())
    counts = replace(
        found,
        models=found.models if "models" in from_file else own.models,
        out=found.out if "out" in from_file else None,
        jobs=found.jobs if "jobs" in from_file else own.jobs,
        cache=own.cache,
    )
    return counts, tuple(name for name in said if not trusted or name in _NEVER)


def load(path: Path) -> Config:
    """Read a file that came with a repository.

    Raises:
        ConfigurationError: It is unreadable, is not TOML, or holds a key or value that means nothing.
    """
    return _loaded(path, _foreign(path), _KEYS)


def _foreign(path: Path) -> bytes:
    """Return what a file of a repository holds: a link from it could lead to any file of the user."""
    try:
        return foreign.read(path.parent, path.name)
    except OSError as error:
        machine.raise_shortage(error)
        raise ConfigurationError(f"{path}: {error.strerror}") from error


def _loaded(path: Path, data: bytes, known: tuple[str, ...]) -> Config:
    """Return what a file says, which may say what is known."""
    table = _table_of(path, data)
    if table is None:
        raise ConfigurationError(f"{path}: no [tool.transpile] table", hint=f"Add one, or name a {FILE}.")
    _refuse_unknown(path, table, known)
    try:
        config = _adapter().validate_json(json.dumps({**table, "path": str(path.resolve())}, default=str))
        # An unclosed quote is found here, not in the middle of a port.
        config.commands, config.carvings  # noqa: B018
        return replace(config, models=_placed(config.models, path.resolve().parent))
    except ValidationError as error:
        raise ConfigurationError(f"{path}: {_first_problem(error)}") from error
    except ValueError as error:
        raise ConfigurationError(f"{path}: runs, carve: {error}") from error


def _placed(models: ModelOptions, directory: Path) -> ModelOptions:
    """Return options whose paths no longer count from the file."""
    inner = models.transformations
    return models if inner is None else replace(models, transformations=directory / inner)


def closest(word: str, known: tuple[str, ...]) -> str:
    """Return a hint that names the known word nearest to a mistyped one."""
    match = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"Did you mean '{match[0]}'?" if match else f"Known: {', '.join(known)}."


def _may_hold_ours(project: Path) -> bool:
    """Tell whether a ``pyproject.toml`` is no link that leads elsewhere: that is not about this source."""
    return project.resolve().is_relative_to(project.parent.resolve())


def _upward(start: Path) -> Iterator[Path]:
    resolved = start.resolve()
    yield from ([resolved] if resolved.is_dir() else [])
    yield from resolved.parents


def _table_of(path: Path, data: bytes) -> dict[str, Any] | None:
    """Return the settings in a file; None for a ``pyproject.toml`` that has none of ours."""
    if data.count(b".") > _MOST_DOTS:
        raise ConfigurationError(f"{path}: more than {_MOST_DOTS} dots, which no settings have")
    try:
        document = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8, as TOML has to be") from error
    except RecursionError as error:
        raise ConfigurationError(f"{path}: its lists and tables are nested too deeply") from error
    except tomllib.TOMLDecodeError as error:
        if path.name == PROJECT_FILE and not _OURS.search(data):
            return None
        raise ConfigurationError(f"{path}: {error}") from error
    if path.name != PROJECT_FILE:
        return document
    table = document.get("tool", {}).get("transpile")
    return table if isinstance(table, dict) else None


def _refuse_unknown(path: Path, table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise ConfigurationError(f"{path}: unknown key '{key}'", hint=closest(key, known))
    units = table.get("units", {})
    for name, settings in units.items() if isinstance(units, dict) else ():
        _refuse_unknown_in(path, f'units."{name}"', settings, _UNIT_KEYS)
    _refuse_unknown_in(path, "models", table.get("models"), _MODEL_KEYS)
    _refuse_unknown_in(path, "cache", table.get("cache"), _CACHE_KEYS)


def _refuse_unknown_in(path: Path, name: str, settings: object, known: tuple[str, ...]) -> None:
    for key in settings if isinstance(settings, dict) else ():
        if key not in known:
            raise ConfigurationError(f"{path}: unknown key '{key}' in [{name}]", hint=closest(key, known))


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}"
