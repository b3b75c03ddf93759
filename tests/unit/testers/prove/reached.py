"""Ways out of marked lines of a candidate that nothing takes."""

from __future__ import annotations

from pathlib import Path

from transpile.core import Contract, TranslationUnit
from transpile.testers.prove.reach import Text, unreached
from transpile.testers.prove.solving import Clock


def never_taken(
    text: str,
    contract: Contract,
    arguments: tuple[str, ...],
    *,
    path: str = "a.cpp",
    name: str = "f",
    seconds: float = 4.0,
) -> list[tuple[int, int]]:
    """Return how many ways out of the lines with ``//`` nothing takes, and how many they have.

    Args:
        text: The candidate, in the namespace ``space``.
        contract: Of its source.
        arguments: What is passed to it, as the contract names them.
        path: The file that it stands in.
        name: The function.
        seconds: The limit of proofs.
    """
    asked = [number for number, line in enumerate(text.split("\n"), 1) if "//" in line]
    given = Text(
        root=Path("/src"),
        files={path: text.encode()},
        unit=TranslationUnit(path=path),
        plain=True,
        path=path,
        namespace="space",
        name=name,
        arguments=arguments,
    )
    found = unreached(given, contract, Clock(seconds))
    return [(found[line].never, found[line].all) if line in found else (0, 0) for line in asked]
