"""Evidence on disk, one directory a verdict, found again by the digest of all that the verdict depends on.

A directory appears whole (written aside, synced, renamed), so that a process killed at any moment leaves
either the complete evidence or none. Beside the data lie the texts, for people.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from transpile import machine
from transpile.core import Contract, Evidence, Passed, Port, digest
from transpile.errors import UsageError
from transpile.files import UNFINISHED, write_synced, write_whole
from transpile.seals import opened, sealed

ID_LENGTH = 12
"""Hexadecimal digits of an id: 48 bits, short enough to type, and any unique beginning will do."""
LENGTH = 24
"""Hexadecimal digits of what nobody types."""
_DATA = "evidence.json"
_SHOWING = frozenset(("cli", "report", "datasets"))
"""Packages that no verdict depends on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """What one file holds."""

    __pydantic_config__ = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    key: str
    evidence: Evidence


@cache
def _adapter() -> TypeAdapter[_Record]:
    """Return what reads and writes the file; made on first use, since that takes a while."""
    return TypeAdapter(_Record)


@dataclass(frozen=True, slots=True)
class Store:
    """The evidence under one directory. Any number of processes may use it at once."""

    root: Path

    def path(self, identifier: str) -> Path:
        """Return the directory that holds the evidence of an id, now or later."""
        return self.root / identifier

    def find(self, key: str) -> Evidence | None:
        """Return what was decided under a key, or None; what cannot be read counts as not decided."""
        record = self._read(key[:ID_LENGTH])
        return record.evidence if record is not None and record.key == key else None

    def save(self, key: str, evidence: Evidence) -> Evidence:
        """Put a verdict on disk; when this returns, no crash loses it. Return it with its id.

        Raises:
            MachineFault: The machine is short of something, which may be why nothing was shown.
        """
        lacking = None if isinstance(evidence.verdict, Passed) else machine.shortage(self.root)
        if lacking is not None:
            raise lacking
        named = replace(evidence, id=key[:ID_LENGTH])
        self.root.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=self.root))
        try:
            for name, data in _files(_Record(key=key, evidence=named)).items():
                write_synced(aside / name, data)
            self._publish(aside, named.id)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return named

    def get(self, identifier: str) -> Evidence:
        """Return the evidence whose id begins so.

        Raises:
            UsageError: None does, or more than one.
        """
        matches = [name for name in self._ids() if name.startswith(identifier)] if identifier else []
        if len(matches) > 1:
            raise UsageError(
                f"evidence '{identifier}' is ambiguous", hint="It could be " + ", ".join(matches[:8]) + "."
            )
        record = self._read(matches[0]) if matches else None
        if record is None:
            raise UsageError(
                f"no evidence '{identifier}' under {self.root}",
                hint="Ids stand in transpile.lock and in the output of `transpile port`.",
            )
        return record.evidence

    def __iter__(self) -> Iterator[Evidence]:
        """Yield everything readable, by id."""
        for name in self._ids():
            record = self._read(name)
            if record is not None:
                yield record.evidence

    def _ids(self) -> list[str]:
        if not self.root.is_dir():
            return []
        return sorted(entry.name for entry in self.root.iterdir() if not entry.name.startswith("."))

    def _read(self, identifier: str) -> _Record | None:
        try:
            text = opened((self.path(identifier) / _DATA).read_bytes())
            return _adapter().validate_json(text, strict=True)
        except (OSError, ValueError):
            return None

    def _publish(self, aside: Path, identifier: str) -> None:
        """Move a complete directory to its place; where one stands already, file by file, the data last."""
        final = self.path(identifier)
        try:
            aside.rename(final)
        except OSError:
            for file in sorted(aside.iterdir(), key=lambda file: file.name == _DATA):
                file.replace(final / file.name)
            _sync_directory(final)
        _sync_directory(self.root)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Learnt:
    """The contents of one file of contracts."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    key: str
    contracts: tuple[Contract, ...]


@cache
def _learnt_adapter() -> TypeAdapter[_Learnt]:
    return TypeAdapter(_Learnt)


@dataclass(frozen=True, slots=True)
class Contracts:
    """Contracts under one directory, one file a unit: a verdict may still be far when they are learnt."""

    root: Path

    def find(self, key: str) -> tuple[Contract, ...] | None:
        """Return what was learnt under a key, or None; what cannot be read counts as not learnt."""
        try:
            found = _learnt_adapter().validate_json(opened(self._path(key).read_bytes()), strict=True)
        except (OSError, ValueError):
            return None
        return found.contracts if found.key == key else None

    def save(self, key: str, contracts: tuple[Contract, ...]) -> None:
        """Keep what was learnt, whole or not at all."""
        plain = _learnt_adapter().dump_python(_Learnt(key=key, contracts=contracts), mode="json")
        write_whole(self._path(key), sealed(json.dumps(plain, indent=1).encode()))

    def _path(self, key: str) -> Path:
        return self.root / f"{key[:LENGTH]}.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class _PortRecord:
    """What one file of a whole port holds."""

    __pydantic_config__ = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    port: Port


@cache
def _port_adapter() -> TypeAdapter[_PortRecord]:
    return TypeAdapter(_PortRecord)


@dataclass(frozen=True, slots=True)
class Ports:
    """Ports as they were settled, one file each: what programs showed stands in no unit's evidence."""

    root: Path

    def save(self, lock: bytes, port: Port) -> None:
        """Keep a port under the text of its lock."""
        data = json.dumps(_port_adapter().dump_python(_PortRecord(port=port), mode="json")).encode()
        write_whole(self._path(lock), data)

    def get(self, lock: bytes) -> Port:
        """Return the port of a lock.

        Raises:
            UsageError: It was made on another machine, or by a version whose record we cannot read.
        """
        try:
            return _port_adapter().validate_json(self._path(lock).read_bytes(), strict=True).port
        except (OSError, ValidationError) as error:
            raise UsageError(
                f"nothing under {self.root} tells how this port was made",
                hint="It was made elsewhere, or by another version. Port again, and a report comes with it.",
            ) from error

    def _path(self, lock: bytes) -> Path:
        return self.root / f"{digest(lock)[:ID_LENGTH]}.json"


@cache
def own_code() -> str:
    """Return the digest of our own code: a verdict is worth what its judge was when it was made."""
    root = Path(__file__).parent
    names = sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file())
    judging = (name for name in names if name.parts[0] not in _SHOWING and "__pycache__" not in name.parts)
    return digest(*(part for name in judging for part in (str(name), (root / name).read_bytes())))


def _files(record: _Record) -> dict[str, bytes]:
    """Return the files of a record: the data, and the texts for people."""
    # By way of Python objects: pydantic's own JSON writer turns infinities into null.
    plain = _adapter().dump_python(record, mode="json")
    unit = record.evidence.unit
    found = {
        _DATA: sealed(json.dumps(plain, indent=1).encode()),
        "source" + (Path(unit.path).suffix or ".txt"): unit.text,
    }
    for number, attempt in enumerate(record.evidence.attempts, start=1):
        for replacement in attempt.candidate.replacements[:1] if attempt.candidate else ():
            found[f"candidate-{number}.cpp"] = replacement.text
    return found


def _sync_directory(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
