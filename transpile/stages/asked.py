"""The models of a run: opened when they are first needed, under one budget."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from transpile.core import Spent
from transpile.options import ModelOptions, PortOptions
from transpile.translators.models import Ledger, Limits, Model, open_model


@dataclass(slots=True)
class Asked:
    """Models that are open: all stages share them, and what they may use up."""

    _ledger: Ledger | None = None
    _models: dict[tuple[str, ...], Model] = field(default_factory=dict)

    def model(self, specs: tuple[str, ...], options: PortOptions) -> Model:
        """Return the model that specifications name; UsageError where it cannot be had."""
        if specs not in self._models:
            limits = limits_of(options.models)
            self._ledger = self._ledger or Ledger(limits)
            self._models[specs] = open_model(
                *specs, limits=limits, cache=options.cache / "completions", ledger=self._ledger
            )
        return self._models[specs]

    @property
    def spent(self) -> Spent | None:
        """Return what all of them used up so far; None where none is open."""
        if self._ledger is None:
            return None
        used = self._ledger.spent
        cost = self._ledger.cost(used) if self._ledger.priced else None
        return Spent(read=used.read, written=used.written, cost=cost, notes=self._ledger.notes)

    def note(self, text: str) -> None:
        """Keep what the user should hear of how models were asked."""
        if self._ledger is not None:
            self._ledger.note(text)

    def keep(self, wanted: Collection[tuple[str, ...]]) -> None:
        """Let go of all other models: each may hold gigabytes."""
        self._models = {specs: model for specs, model in self._models.items() if specs in wanted}


def limits_of(asked: ModelOptions) -> Limits:
    """Return what models may use up, as the user said."""
    return Limits(
        max_tokens=asked.max_tokens,
        max_cost=asked.max_cost,
        prompt_price=asked.prompt_price,
        completion_price=asked.completion_price,
        concurrency=asked.concurrency,
        timeout=asked.request_timeout,
    )
