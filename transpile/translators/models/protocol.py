"""Protocol of a language model: requests in, completions out, in batches; after start-up no exception."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from transpile.core import digest

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn of a dialogue. Bytes of a source that are no text (surrogates) become question marks."""

    role: Role
    content: str

    def __post_init__(self) -> None:
        # No tokenizer and no endpoint takes them.
        object.__setattr__(self, "content", self.content.encode("utf-8", "replace").decode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A dialogue that waits for its next turn, and how to draw it.

    Attributes:
        count: How many answers are wanted. Where they are drawn one by one, each has a seed of its own.
        max_tokens: The longest that each answer may be.
        seed: Another seed gives other answers, the same one the same where the provider can.
        schema: A JSON schema, as text, that the answer should follow. It may not all the same: check it.
    """

    messages: tuple[Message, ...]
    count: int = 1
    temperature: float = 0.8
    max_tokens: int = 4096
    seed: int = 0
    schema: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One answer, or why there is none.

    Attributes:
        finish: ``length`` where ``max_tokens`` cut the text, ``error`` where ``message`` says what failed.
        prompt_tokens: Tokens read for it, failed attempts included: the sum over completions was spent.
        completion_tokens: Tokens written for it, likewise. Both are 0 for what the cache knew.
        model: The name of the model that answered, which in an ensemble is one of several.
        retry_after: Seconds after which what failed may succeed; None where it would fail again.
    """

    text: str
    finish: Finish
    prompt_tokens: int = 0
    completion_tokens: int = 0
    message: str = ""
    model: str = ""
    retry_after: float | None = None


class Model(Protocol):
    """A language model. Any number of threads may use it at once."""

    @property
    def name(self) -> str:
        """The model as evidence names it, such as ``openai:NAME@URL``."""

    def complete(self, requests: Sequence[Request]) -> list[tuple[Completion, ...]]:
        """Return ``count`` completions for each request, in order; a completion says why it failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What models may use up, all of those opened together.

    Attributes:
        max_tokens: The most tokens read and written; None for no limit.
        max_cost: The most that they may cost, in the currency of the prices; None for no limit.
        prompt_price: The price of a million tokens read.
        completion_price: The price of a million tokens written.
        concurrency: How many requests are under way at once, for each endpoint.
        timeout: Seconds that an endpoint may be silent; also for an answer that it sends at once.
        attempts: How often a request is sent before it counts as failed.
    """

    max_tokens: int | None = None
    max_cost: float | None = None
    prompt_price: float = 0.0
    completion_price: float = 0.0
    concurrency: int = 8
    timeout: float = 600.0
    attempts: int = 5


def failed(request: Request, message: str, *, model: str) -> tuple[Completion, ...]:
    """Return the completions of a request that cannot be answered and was not charged."""
    return (Completion(text="", finish="error", message=message, model=model),) * request.count


def seeds(request: Request) -> tuple[int, ...]:
    """Return a seed for each answer of a request, the first its own."""
    return (request.seed, *(_derived(request.seed, number) for number in range(1, request.count)))


def rest(request: Request, present: int) -> Request:
    """Return the request for the answers that are missing once some are there, with a seed of its own."""
    seed = _derived(request.seed, request.count, present) if present else request.seed
    return replace(request, count=request.count - present, seed=seed)


def _derived(*numbers: int) -> int:
    return int(digest(*(str(number) for number in numbers))[:7], 16)
