"""Reasoning that models write ahead of their answers: cut off, and given room where it left none.

Servers with a parser for it put it into a field of its own, which is not read; others leave it in the text.
Either may use up all tokens of an answer before the answer begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from transpile.translators.models.protocol import Completion, Model, Request, rest
from transpile.translators.models.usage import refilled

_NAMES = r"(?:think|thinking|thought|reasoning|reflection)"
# At the beginning of a line: in code, `<think>` is a template argument like any other.
_OPEN = re.compile(rf"^[ \t]*(?:<{_NAMES}>|\[THINK\]|◁think▷)", re.MULTILINE | re.IGNORECASE)
_CLOSE = re.compile(rf"(?:</{_NAMES}>|\[/THINK\]|◁/think▷)", re.IGNORECASE)
_FINAL = re.compile(r"<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>")
"""Beginning of the text for the user in the harmony format."""
_MARK = re.compile(r"<\|(?:end|return|call|start|channel|message)\|>")
_FACTOR = 4
_TIMES = 2
"""Times that an answer gets more room: a model that then still thinks is going in circles."""
_MOST = 65_536
"""Tokens: contexts are seldom longer."""


def without_reasoning(text: str) -> str:
    """Return what a model said after it had thought; nothing where it did not get so far."""
    said = _said(text)
    return text if said == text else said.strip()


def _said(text: str) -> str:
    text = _of_harmony(text)
    kept, place = [], 0
    while opened := _OPEN.search(text, place):
        kept.append(text[place : opened.start()])
        closed = _CLOSE.search(text, opened.end())
        if closed is None:
            return _behind_the_last_mark("".join(kept))
        place = closed.end()
    kept.append(text[place:])
    return _behind_the_last_mark("".join(kept))


def _behind_the_last_mark(text: str) -> str:
    """Return what follows reasoning that the prompt itself began, so that no mark opens it."""
    for mark in reversed(list(_CLOSE.finditer(text))):
        if text[mark.end() :].strip():
            return text[mark.end() :]
    return _CLOSE.sub("", text)


def _of_harmony(text: str) -> str:
    """Return the last final message of a text in channels, as gpt-oss writes where no server reads it."""
    if not _MARK.search(text):
        return text
    finals = list(_FINAL.finditer(text))
    if not finals:
        return "" if "<|channel|>" in text else text
    return _MARK.split(text[finals[-1].end() :])[0]


class Reasoned:
    """A model whose answers hold no reasoning, and that is asked again where that was all it had room for."""

    def __init__(self, inner: Model, told: Callable[[str], None]) -> None:
        self._inner = inner
        self._told = told
        self._factor = 1
        self.name = inner.name

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return the answers, asked for again with more tokens where reasoning took all of them."""
        # What was too little once will be again: nobody pays for that on each request.
        asked = [_longer(request, self._factor) for request in requests]
        answers = self._asked(asked)
        for _ in range(_TIMES):
            short = [n for n, answer in enumerate(answers) if any(map(_cut_off, answer))]
            again = [n for n in short if asked[n].max_tokens < _MOST]
            if not again:
                break
            for n in again:
                asked[n] = _longer(asked[n], _FACTOR)
            self._say(requests[again[0]], asked[again[0]], len(again))
            wanted = [_rest(asked[n], answers[n]) for n in again]
            for n, fresh in zip(again, self._asked(wanted), strict=True):
                answers[n] = refilled(answers[n], fresh, _cut_off)
        return [
            tuple(_told(item, request) for item in answer)
            for answer, request in zip(answers, asked, strict=True)
        ]

    def _asked(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        return [tuple(map(_cut, answer)) for answer in self._inner.complete(requests)]

    def _say(self, first: Request, now: Request, count: int) -> None:
        self._factor = max(self._factor, now.max_tokens // first.max_tokens)
        self._told(
            f"{self.name}: reasoning took all tokens of an answer, so {count} request{'s' * (count != 1)}"
            f" went out again with {now.max_tokens:,} in place of {now.max_tokens // _FACTOR:,}"
        )


def _longer(request: Request, factor: int) -> Request:
    if factor == 1:
        return request
    return replace(request, max_tokens=max(request.max_tokens, min(request.max_tokens * factor, _MOST)))


def _rest(request: Request, answer: Sequence[Completion]) -> Request:
    """Return the request for the answers of which nothing came."""
    return rest(request, sum(not _cut_off(item) for item in answer))


def _cut(completion: Completion) -> Completion:
    return replace(completion, text=without_reasoning(completion.text))


def _cut_off(completion: Completion) -> bool:
    return completion.finish == "length" and not completion.text


def _told(completion: Completion, request: Request) -> Completion:
    """Return an answer of which nothing came as the failure that it is."""
    if completion.finish == "error" or completion.text:
        return completion
    if completion.finish == "length":
        why = f"it had {request.max_tokens:,} tokens, and spent them all on reasoning: see --answer-tokens"
    else:
        why = "it holds reasoning and no answer"
    return replace(completion, finish="error", message=f"the answer has no text: {why}")
