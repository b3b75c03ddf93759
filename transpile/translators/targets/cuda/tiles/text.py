"""Lines of kernels with tiles."""

from __future__ import annotations

from transpile.code.polynomial import Polynomial, spelled


def plus(text: str, value: Polynomial) -> str:
    """Return the sum of an expression and a polynomial, as C."""
    if not value:
        return text
    more = spelled(value)
    return f"{text} - {more[1:]}" if more.startswith("-") else f"{text} + {more}"


def bare(value: Polynomial, cast: str = "") -> Polynomial:
    """Return a polynomial over the names of the text, the first of each product in the type of a cast."""
    terms = {tuple(item.partition("@")[0] for item in monomial): factor for monomial, factor in value.items()}
    return {(cast + names[0], *names[1:]) if names else (): factor for names, factor in terms.items()}
