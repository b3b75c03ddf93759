"""Variables that C++ and Fortran share: they lie where gfortran puts them, under the names it gives them."""

from __future__ import annotations

import re

from transpile.parsers.fortran.state import linked_variable, shared
from transpile.parsers.fortran.symbols import Symbol
from transpile.translators.fortran.names import plain

HEADER = '#include "fortran/gfortran.h"'


def shared_variable(text: str, symbol: Symbol) -> str:
    """Return the declaration of a module's variable with the name that Fortran has for it.

    Args:
        text: Its declaration where nobody else knows it.
        symbol: The variable.
    """
    if not shared(symbol):
        return text
    name = plain(symbol.spelling)
    label = f' FORTRAN_SYMBOL("{linked_variable(symbol)}")'
    return re.sub(rf"( {re.escape(name)})(?= =|;)", rf"\1{label}", shared_layout(text, symbol), count=1)


def shared_layout(text: str, symbol: Symbol) -> str:
    """Return a declaration in which logical values have as many bytes as in Fortran."""
    if symbol.type.base != "logical":
        return text
    logical = f"fortran::Logical<{symbol.type.kind}>"
    return re.sub(r"^bool (?!\*)", f"{logical} ", text).replace("<bool,", f"<{logical},")
