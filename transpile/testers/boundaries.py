"""Texts that make a program tell what its units are called with, see ``simt/carver.h``."""

from __future__ import annotations

from collections.abc import Mapping

from transpile.core import Source, UnitKind
from transpile.toolchains.entry import quoted


def with_variables(source: Source, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return lowered files that name the variables at file scope which each kernel uses."""
    texts: dict[str, dict[str, None]] = {}
    for unit in source.units:
        if unit.kind is not UnitKind.KERNEL:
            continue
        user = quoted(unit.name.rpartition("::")[2])
        for signature in source.signatures.get(unit.id, ()):
            for item in signature.globals:
                told = f"{user}, {quoted(item.name)}, &{item.name}, sizeof({item.name})"
                texts.setdefault(unit.translation_unit, {})[told] = None
    return {**files, **{path: files[path] + _registered(told) for path, told in texts.items()}}


def _registered(told: Mapping[str, None]) -> bytes:
    lines = [
        f"static const simt::CarvedVariable transpile_carved_{number}({text});\n"
        for number, text in enumerate(told)
    ]
    return ("\n" + "".join(lines)).encode("utf-8", "surrogateescape")
