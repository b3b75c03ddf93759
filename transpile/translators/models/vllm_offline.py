"""A model in this process, by vLLM's engine: all requests of a repository in one batch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from vllm import LLM, SamplingParams
from vllm.platforms import current_platform
from vllm.sampling_params import StructuredOutputsParams

from transpile.errors import UsageError
from transpile.translators.models.local import first_line, named, too_long, turns
from transpile.translators.models.protocol import Completion, Limits, Model, Request, failed

_STRUCTURED = {"backend": "guidance", "disable_any_whitespace": True}
"""Else a small model fills its JSON with blanks until it is cut off."""


def open_vllm(path: str, limits: Limits) -> Model:
    """Return the model at a path, in vLLM's memory. Its environment variables (``VLLM_…``) tune it.

    Raises:
        UsageError: vLLM cannot load it.
    """
    name, place = named("vllm", path)
    try:
        # A processor is not worth the minutes that compiling a model takes.
        engine = LLM(
            model=str(place or path),
            enforce_eager=current_platform.is_cpu(),
            structured_outputs_config=_STRUCTURED,
            disable_log_stats=True,
        )
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"vllm:{path} is no model that vLLM can load: {first_line(error)}") from error
    return Offline(name, engine)


class Offline:
    """A model in vLLM's engine, which forms its own batches."""

    def __init__(self, name: str, engine: Any) -> None:
        self.name = name
        self._engine = engine
        self._room: int = engine.llm_engine.model_config.max_model_len
        self._lock = threading.Lock()

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers of the engine, to which all requests go at once."""
        with self._lock:
            answers = {number: self._refusal(request) for number, request in enumerate(requests)}
            able = [number for number, refusal in answers.items() if refusal is None]
            asked = [requests[number] for number in able]
            answers.update(zip(able, self._generated(asked), strict=True))
        return [answers[number] or () for number in range(len(requests))]

    def _refusal(self, request: Request) -> tuple[Completion, ...] | None:
        """Return why the engine would not take a request, for which it would stop the batch."""
        tokenizer = self._engine.get_tokenizer()
        try:
            text = tokenizer.apply_chat_template(turns(request), tokenize=False, add_generation_prompt=True)
        except Exception as error:  # A template is a program of the model's: it may raise anything.
            return failed(request, f"the chat template fails: {first_line(error)}", model=self.name)
        tokens = tokenizer(text, add_special_tokens=False)["input_ids"]
        if len(tokens) < self._room:
            return None
        return failed(request, too_long(len(tokens), self._room), model=self.name)

    def _generated(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        if not requests:
            return []
        try:
            outputs = self._engine.chat(
                [turns(request) for request in requests],
                [_parameters(request) for request in requests],
                use_tqdm=False,
            )
        except Exception as error:  # Engine, worker, kernel: whatever ends a batch does not end the run.
            why = f"vLLM failed: {first_line(error)}"
            return [failed(request, why, model=self.name) for request in requests]
        return [self._completions(output) for output in outputs]

    def _completions(self, output: Any) -> tuple[Completion, ...]:
        return tuple(
            Completion(
                text=answer.text,
                finish="length" if answer.finish_reason == "length" else "stop",
                prompt_tokens=0 if number else len(output.prompt_token_ids),
                completion_tokens=len(answer.token_ids),
                model=self.name,
            )
            for number, answer in enumerate(output.outputs)
        )


def _parameters(request: Request) -> Any:
    schema = request.schema
    return SamplingParams(
        n=request.count,
        temperature=request.temperature,
        max_tokens=request.max_tokens,
        seed=request.seed,
        structured_outputs=StructuredOutputsParams(json=schema) if schema else None,
    )
