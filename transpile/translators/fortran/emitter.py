"""The writers of one program unit, which know each other through it."""

from __future__ import annotations

from transpile.parsers.fortran.symbols import Procedure
from transpile.translators.fortran.assignments import Assignments
from transpile.translators.fortran.calls import Calls
from transpile.translators.fortran.constructors import Constructors
from transpile.translators.fortran.directives import Directives
from transpile.translators.fortran.elements import Elements
from transpile.translators.fortran.expressions import Expressions
from transpile.translators.fortran.intrinsic_calls import Intrinsics
from transpile.translators.fortran.intrinsic_subroutines import Subroutines
from transpile.translators.fortran.routine import Routine
from transpile.translators.fortran.statements import Statements
from transpile.translators.fortran.transfers import Transfers
from transpile.translators.fortran.variables import Variables


class Emitter:
    """All writers of one routine."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self.expressions = Expressions(self)
        self.elements = Elements(self)
        self.constructors = Constructors(self)
        self.intrinsics = Intrinsics(self)
        self.subroutines = Subroutines(self)
        self.calls = Calls(self)
        self.assignments = Assignments(self)
        self.transfers = Transfers(self)
        self.directives = Directives(self)
        self.variables = Variables(self)
        self.statements = Statements(self)

    def notice_call(self, procedure: Procedure, line: int) -> None:
        """Refuse calls that C++ could not make."""
        if procedure.interface_only:
            raise self.routine.refused(f"the procedure `{procedure.name}` is not among the files", line)
