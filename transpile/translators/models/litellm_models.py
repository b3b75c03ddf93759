"""Models of any cloud by LiteLLM, such as ``litellm:anthropic/NAME`` or ``litellm:gemini/NAME``.

Keys are those that LiteLLM reads from the environment (``ANTHROPIC_API_KEY`` …), each for its own provider.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from transpile.errors import UsageError
from transpile.translators.models import replies
from transpile.translators.models.parallel import at_once
from transpile.translators.models.protocol import Completion, Limits, Model, Request, seeds

_SECRETS = re.compile(r"\b(?:sk|key|AIza)[-_]?[\w-]{16,}")


def open_litellm(spec: str, limits: Limits) -> Model:
    """Return the model PROVIDER/NAME; nothing is sent yet.

    Raises:
        UsageError: It names no model.
    """
    if not re.fullmatch(r"[\w.-]+(?:/[^\s@?#]+)+", spec):
        raise UsageError(
            f"'litellm:{spec}' names no model",
            hint="Write litellm:PROVIDER/NAME, such as litellm:anthropic/….",
        )
    # Else it asks the network for prices as soon as it is imported.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return LiteLLM(spec, limits, litellm)


class LiteLLM:
    """A model behind LiteLLM, which knows the protocol of each provider."""

    def __init__(self, spec: str, limits: Limits, library: Any) -> None:
        self.name = f"litellm:{spec}"
        self._spec = spec
        self._limits = limits
        self._library = library

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers, each asked for by itself: few providers give several at once."""
        jobs = [(request, seed) for request in requests for seed in seeds(request)]
        answers = iter(at_once([partial(self._one, *job) for job in jobs], self._limits.concurrency))
        return [tuple(next(answers) for _ in range(request.count)) for request in requests]

    def _one(self, request: Request, seed: int) -> Completion:
        single = replace(request, count=1, seed=seed)
        try:
            reply = self._library.completion(
                model=self._spec,
                messages=[{"role": turn.role, "content": turn.content} for turn in single.messages],
                temperature=single.temperature,
                max_tokens=single.max_tokens,
                seed=seed,
                timeout=self._limits.timeout,
                num_retries=0,
                # What a provider does not know is left out instead of refused.
                drop_params=True,
            )
            (answer,) = replies.read(reply.model_dump_json(), single, self.name)
        except Exception as error:
            return self._failed(single, error)
        return answer

    def _failed(self, request: Request, error: Exception) -> Completion:
        """Return what an error of the library means: its classes carry the status that the provider gave."""
        status = getattr(error, "status_code", None)
        passing = status in (408, 409, 429) or (isinstance(status, int) and status >= 500)
        told = _SECRETS.sub("***", replies.plain(str(error) or type(error).__name__))
        (failure,) = replies.failure(
            request,
            f"{self._spec} gave no answer: {told}",
            self.name,
            retry_after=0.0 if passing else None,
            charged=not (isinstance(status, int) and (400 <= status < 500 or status == 503)),
        )
        return failure
