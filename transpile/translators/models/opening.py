"""From what a user types (``openai:NAME@URL``) to a model that is ready to answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from transpile.errors import UsageError
from transpile.translators.models.protocol import Limits, Model


@dataclass(frozen=True, slots=True)
class _Provider:
    """Where the function that opens a model is, and how such a model is written."""

    module: str
    function: str
    form: str


_PROVIDERS: Mapping[str, _Provider] = {
    "scripted": _Provider("scripted", "open_scripted", "scripted:FILE"),
}


def open_model(*specs: str, limits: Limits, cache: Path | None) -> Model:
    """Return the model that a specification names; several answer in turn.

    Raises:
        UsageError: A specification is no model's, or what it needs is not installed: the hint says what is.
    """
    (spec,) = specs
    return _open(spec, limits)


def _open(spec: str, limits: Limits) -> Model:
    kind, _, rest = spec.partition(":")
    provider = _PROVIDERS.get(kind)
    if provider is None:
        forms = ", ".join(provider.form for provider in _PROVIDERS.values())
        raise UsageError(f"'{spec}' names no model", hint=f"A model is one of {forms}.")
    module = import_module(f"{__package__}.{provider.module}")
    opened: Callable[[str, Limits], Model] = getattr(module, provider.function)
    return opened(rest, limits)
