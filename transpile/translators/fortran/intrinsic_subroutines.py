"""Subroutines that Fortran, OpenMP and gfortran bring along."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.typing import symbol_of
from transpile.translators.fortran.types import plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_LOCKS = (
    "omp_init_lock", "omp_destroy_lock", "omp_set_lock", "omp_unset_lock", "omp_init_nest_lock",
    "omp_destroy_nest_lock", "omp_set_nest_lock", "omp_unset_nest_lock",
)  # fmt: skip
_CLOCK = ("count", "count_rate", "count_max")
_DATE = ("date", "time", "zone", "values")


class Subroutines:
    """Writes calls of subroutines that are not the program's."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def call(self, name: str, statement: tree.Call) -> list[str]:
        """Return the lines of a call.

        Raises:
            Refused: Where we have no translation.
        """
        scalar = self.emitter.expressions.scalar
        values = [item.value for item in statement.arguments]
        if name in _LOCKS:
            return [f"{name}(&{scalar(values[0]).text});"]
        if name.startswith("omp_set") and len(values) == 1:
            return [f"{name}({scalar(values[0]).text});"]
        if name == "cpu_time":
            return [f"{scalar(values[0]).text} = fortran::cpu_time();"]
        if name == "system_clock":
            return self._clock(statement)
        if name == "random_number":
            return self._random(values[0])
        if name == "random_seed":
            if statement.arguments:
                raise self.routine.refused("`random_seed` with arguments", statement.line)
            return []
        if name in ("exit", "abort"):
            return [f"fortran::stop({scalar(values[0]).text if values else '0'});"]
        if name == "sleep":
            return [f"fortran::sleep({scalar(values[0]).text});"]
        if name == "flush":
            return [f"fortran::flush({scalar(values[0]).text if values else '6'});"]
        if name == "move_alloc":
            source, target = (self.emitter.expressions.whole(item).text for item in values)
            return [f"{target} = std::move({source});", f"{source}.deallocate();"]
        if name == "date_and_time":
            return self._date(statement)
        raise self.routine.refused(f"the subroutine `{name}`", statement.line)

    def _clock(self, statement: tree.Call) -> list[str]:
        lines = []
        given = {
            item.keyword or _CLOCK[position]: item.value for position, item in enumerate(statement.arguments)
        }
        for part, value in given.items():
            of = self.routine.typed(value).type
            name = plain_type(of, self.routine.scope, statement.line)
            target = self.emitter.expressions.reference(value).text
            lines.append(f"{target} = fortran::clock_{part.removeprefix('count_')}<{name}>();")
        return lines

    def _random(self, value: tree.Expression) -> list[str]:
        if self.routine.typed(value).rank:
            return [f"fortran::random_fill({self.emitter.elements.object(value).text});"]
        of = plain_type(self.routine.typed(value).type, self.routine.scope, value.line)
        return [f"{self.emitter.expressions.reference(value).text} = fortran::random_number<{of}>();"]

    def _date(self, statement: tree.Call) -> list[str]:
        lines = []
        given = {
            item.keyword or _DATE[position]: item.value for position, item in enumerate(statement.arguments)
        }
        for part, value in given.items():
            if part == "values":
                symbol = symbol_of(value, self.routine.scope)
                assert symbol is not None
                lines.append(f"fortran::date_values({self.emitter.expressions.whole(value).text});")
            else:
                lines.append(f"{self.emitter.expressions.reference(value).text} = fortran::date_{part}();")
        return lines
