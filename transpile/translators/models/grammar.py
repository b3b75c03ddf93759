"""Answers that can only follow a JSON schema: a token that would leave it is never drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from llguidance import LLMatcher
from llguidance.hf import from_tokenizer


class Grammars:
    """What checks texts against schemas, token by token of one model."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokens = from_tokenizer(tokenizer)

    def following(self, schemas: Sequence[str | None]) -> Following:
        """Return what keeps each answer of a batch to its schema; what is no schema holds nothing back."""
        return Following([self._matcher(schema) if schema else None for schema in schemas])

    def _matcher(self, schema: str) -> Any:
        options = {"whitespace_flexible": False}  # A small model fills its answer with blanks.
        matcher = LLMatcher(self._tokens, LLMatcher.grammar_from_json_schema(schema, defaults=options))
        return None if matcher.is_error() else matcher


class Following:
    """Takes from the scores of each answer the tokens that its schema does not allow next."""

    def __init__(self, matchers: Sequence[Any]) -> None:
        self._matchers = matchers
        self._begun = False

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Return the scores of the next token of each answer, minus infinity for what may not come."""
        for row, matcher in enumerate(self._matchers):
            if matcher is None or matcher.is_stopped():
                continue
            if self._begun:
                matcher.consume_token(int(input_ids[row, -1]))
            if not (matcher.is_stopped() or matcher.is_error()):
                scores[row, _forbidden(matcher, scores.shape[1]).to(scores.device)] = -torch.inf
        self._begun = True
        return scores


def _forbidden(matcher: Any, tokens: int) -> Any:
    """Tell of each token whether it may not come next; none beyond the vocabulary may."""
    allowed = torch.frombuffer(bytearray(matcher.compute_logit_bias()), dtype=torch.uint8)[:tokens] > 0
    forbidden = torch.ones(tokens, dtype=torch.bool)
    forbidden[: len(allowed)] = ~allowed
    return forbidden
