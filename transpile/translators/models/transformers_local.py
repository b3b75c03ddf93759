"""A model in this process, by transformers: a directory as it saves them, a name it knows, or a GGUF file."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

# Threads that wait in a loop take the processor from compilers that run beside them: a quarter of the speed.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import torch
from jinja2 import TemplateError
from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig
from transformers.utils import logging

from transpile.errors import UsageError
from transpile.toolchains.workshop import cache_directory
from transpile.translators.models.grammar import Grammars
from transpile.translators.models.local import fingerprint, first_line, named, too_long, turns
from transpile.translators.models.protocol import Completion, Limits, Model, Request, failed, seeds
from transpile.translators.models.sampling import Drawing, Stopping

_BATCH = 8
"""Answers drawn together: seven times as many tokens a second as one, on two cores."""


def open_transformers(path: str, limits: Limits) -> Model:
    """Return the model at a path, in memory.

    Raises:
        UsageError: There is none, or it does not chat.
    """
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    name, place = named("hf", path)
    try:
        loaded = _loaded(str(converted(place)) if place and place.suffix == ".gguf" else str(place or path))
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise UsageError(f"hf:{path} is no model that transformers can read: {first_line(error)}") from error
    if loaded.tokenizer.chat_template is None:
        raise UsageError(f"hf:{path} has no chat template", hint="Take a model that was trained to chat.")
    return Transformers(name, loaded)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in memory, and what turns text into its tokens."""

    model: Any
    tokenizer: Any


def _loaded(path: str) -> Loaded:
    where = "auto" if torch.cuda.is_available() else None
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.bfloat16, device_map=where)
    # Answers of one batch start where their prompts end: at one place, if these are padded on the left.
    tokenizer = AutoTokenizer.from_pretrained(path, padding_side="left")
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return Loaded(model.eval(), tokenizer)


def converted(file: Path) -> Path:
    """Return the directory that holds a GGUF file in transformers' own form, made at the first use.

    Reading GGUF takes a minute where its copy takes a second.
    """
    final = cache_directory() / "models" / f"{file.stem}-{fingerprint(file)}"
    if final.is_dir():
        return final
    final.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=".writing-", dir=final.parent))
    try:
        where, name = str(file.parent), file.name
        settings = GgufConfig(dequantize=True)
        model = AutoModelForCausalLM.from_pretrained(
            where, gguf_file=name, dtype=torch.bfloat16, quantization_config=settings
        )
        # GGUF does not say so, and `transformers serve` then gives every sample the likeliest answer.
        model.generation_config.do_sample = True
        model.save_pretrained(aside)
        AutoTokenizer.from_pretrained(where, gguf_file=name).save_pretrained(aside)
        # Another process may have been faster: then its copy stays.
        if not final.is_dir():
            os.rename(aside, final)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return final


@dataclass(frozen=True, slots=True)
class _Row:
    """One answer to be drawn.

    Attributes:
        request: The request, of one answer.
        tokens: Its dialogue in tokens.
        number: The place of the answer among all that were asked for.
    """

    request: Request
    tokens: Sequence[int]
    number: int


class Transformers:
    """A model in this process. Answers are drawn some at a time, each from a seed of its own."""

    def __init__(self, name: str, loaded: Loaded) -> None:
        self.name = name
        self._model = loaded.model
        self._tokenizer = loaded.tokenizer
        self._grammars = Grammars(loaded.tokenizer)
        self._room: int | None = getattr(loaded.model.config, "max_position_embeddings", None)
        self._lock = threading.Lock()

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return an answer for each seed of each request."""
        single = [replace(request, count=1, seed=seed) for request in requests for seed in seeds(request)]
        answers: dict[int, Completion] = {}
        with self._lock:
            rows = list(self._rows(single, answers))
            # Like lengths together: least padding.
            rows.sort(key=lambda row: (len(row.tokens), row.request.max_tokens))
            for start in range(0, len(rows), _BATCH):
                batch = rows[start : start + _BATCH]
                drawn = self._drawn(batch)
                answers.update((row.number, item) for row, item in zip(batch, drawn, strict=True))
        ordered = iter(answers[number] for number in range(len(single)))
        return [tuple(next(ordered) for _ in range(request.count)) for request in requests]

    def _rows(self, requests: Sequence[Request], answers: dict[int, Completion]) -> Iterator[_Row]:
        """Yield what can be drawn; put what cannot among the answers."""
        for number, request in enumerate(requests):
            try:
                text = self._tokenizer.apply_chat_template(
                    turns(request), tokenize=False, add_generation_prompt=True
                )
            except TemplateError as error:
                why = f"the chat template refuses the dialogue: {first_line(error)}"
                (answers[number],) = failed(request, why, model=self.name)
                continue
            tokens = self._tokenizer(text, add_special_tokens=False)["input_ids"]
            if self._room is not None and len(tokens) >= self._room:
                (answers[number],) = failed(request, too_long(len(tokens), self._room), model=self.name)
                continue
            yield _Row(request, tokens, number)

    def _drawn(self, rows: Sequence[_Row]) -> list[Completion]:
        """Return one answer for each row, drawn side by side."""
        limits = [self._limit(row) for row in rows]
        padded = self._tokenizer.pad({"input_ids": [list(row.tokens) for row in rows]}, return_tensors="pt")
        padded = padded.to(self._model.device)
        start = padded["input_ids"].shape[1]
        following = self._grammars.following([row.request.schema for row in rows])
        drawing = Drawing([row.request for row in rows], self._model.device)
        try:
            with torch.inference_mode():
                out = self._model.generate(
                    **padded,
                    do_sample=False,
                    max_new_tokens=max(limits),
                    logits_processor=[following, drawing],
                    stopping_criteria=[Stopping([start + limit for limit in limits])],
                    pad_token_id=self._tokenizer.pad_token_id,
                )
        except (RuntimeError, MemoryError, ValueError, IndexError) as error:
            why = f"transformers failed: {first_line(error)}"
            return [completion for row in rows for completion in failed(row.request, why, model=self.name)]
        return [
            self._completion(row, written[start : start + limit].tolist())
            for row, written, limit in zip(rows, out, limits, strict=True)
        ]

    def _limit(self, row: _Row) -> int:
        """Return how many tokens an answer may have: what was asked for, or what there is room for."""
        left = row.request.max_tokens if self._room is None else self._room - len(row.tokens)
        return min(row.request.max_tokens, left)

    def _completion(self, row: _Row, written: Sequence[int]) -> Completion:
        ends = [place for place, token in enumerate(written) if token in self._ends()]
        text = self._tokenizer.decode(written[: ends[0]] if ends else written, skip_special_tokens=True)
        return Completion(
            text=text,
            finish="stop" if ends else "length",
            prompt_tokens=len(row.tokens),
            completion_tokens=ends[0] + 1 if ends else len(written),
            model=self.name,
        )

    def _ends(self) -> frozenset[int]:
        """Return the tokens that end an answer."""
        configured = self._model.generation_config.eos_token_id
        listed = configured if isinstance(configured, list) else [configured]
        return frozenset((*listed, self._tokenizer.eos_token_id))
