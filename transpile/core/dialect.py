"""Dialects, and what is said of places in files."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from transpile.core.traits import TRAITS, ProgrammingModel, Traits


class Language(StrEnum):
    C = "c"
    CPP = "cpp"
    FORTRAN = "fortran"


class Interface(StrEnum):
    """Whose memory the arrays are that functions ported to a device take."""

    HOST = "host"
    """As in the source: they are copied to the device and back."""
    DEVICE = "device"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A language together with the programming model written in it."""

    language: Language
    model: ProgrammingModel
    also: ProgrammingModel | None = None
    """Another model, whose compilers take the same text."""
    interface: Interface = Interface.HOST

    @property
    def traits(self) -> Traits:
        """Return what is known of its programming model."""
        return TRAITS[self.model]

    @property
    def is_plain(self) -> bool:
        """Tell whether no programming model is written in it."""
        return self.model is ProgrammingModel.NONE

    @property
    def models(self) -> tuple[ProgrammingModel, ...]:
        """Return the models whose compilers take its text."""
        return (self.model,) if self.also is None else (self.model, self.also)

    @property
    def readings(self) -> tuple[Dialect, ...]:
        """Return the dialect, and what its text is to the compilers of the other model if there is one."""
        other = () if self.also is None else (replace(self, model=self.also, also=self.model),)
        return (self, *other)

    @property
    def name(self) -> str:
        """Return the short name, as ``--to`` takes it."""
        return str(self.language if self.is_plain else self.model)


CUDA = Dialect(language=Language.CPP, model=ProgrammingModel.CUDA)
CUDA_ON_DEVICE = replace(CUDA, interface=Interface.DEVICE)
HIP = Dialect(language=Language.CPP, model=ProgrammingModel.HIP)
HIP_ON_DEVICE = replace(HIP, interface=Interface.DEVICE)
HIP_OR_CUDA = Dialect(language=Language.CPP, model=ProgrammingModel.HIP, also=ProgrammingModel.CUDA)
C = Dialect(language=Language.C, model=ProgrammingModel.NONE)
CPP = Dialect(language=Language.CPP, model=ProgrammingModel.NONE)
OPENMP = Dialect(language=Language.CPP, model=ProgrammingModel.OPENMP)
OPENMP_TARGET = Dialect(language=Language.CPP, model=ProgrammingModel.OPENMP_TARGET)
STDPAR = Dialect(language=Language.CPP, model=ProgrammingModel.STDPAR)


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Something a user should know, with a stable code that ``transpile explain`` describes."""

    code: str
    severity: Severity
    path: str
    line: int
    column: int = 1
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Span:
    """Half-open range of bytes in a file."""

    start: int
    end: int

    def of(self, data: bytes) -> bytes:
        """Return the bytes of the range."""
        return data[self.start : self.end]
