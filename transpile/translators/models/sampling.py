"""Sampling of the answers of a batch: each by its seed and its temperature, up to its length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from transpile.translators.models.protocol import Request


class Drawing:
    """Noise on the scores, so that the greatest is a draw from their distribution (Gumbel's trick).

    So an answer does not depend on its neighbours in the batch, as it would with one generator for all.
    """

    def __init__(self, requests: Sequence[Request], device: Any) -> None:
        self._temperatures = [request.temperature for request in requests]
        self._generators = [torch.Generator(device).manual_seed(request.seed) for request in requests]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Return the scores of the next token of each answer, with noise."""
        return torch.stack([self._noisy(row, score) for row, score in enumerate(scores.float())])

    def _noisy(self, row: int, score: Any) -> Any:
        temperature = self._temperatures[row]
        if temperature <= 0:
            return score
        waiting = torch.empty_like(score).exponential_(generator=self._generators[row])
        return score / temperature - waiting.log()


class Stopping:
    """Ends each answer at its own length."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self._lengths = lengths

    def __call__(self, input_ids: Any, scores: Any, **more: Any) -> Any:
        """Tell of each answer whether it is long enough."""
        present = input_ids.shape[1]
        return torch.tensor([present >= length for length in self._lengths], device=input_ids.device)
