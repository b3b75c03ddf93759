"""Tokens a second that a server gives to our client, and to a bare loop over the ``openai`` client.

    python benchmarks/models.py openai:NAME@URL [--requests 32] [--concurrency 8] [--tokens 64] [--rounds 3]

Both ask the same things, in random order, with as many requests under way. The server's own speed cancels
out; what is left is what our budget, retries and threads cost.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Callable

from openai import AsyncOpenAI

from transpile.translators.models import Limits, Message, Request, open_model

TASK = "Write a C function that computes the sum of every {}-th element of an array of doubles."


def main() -> None:
    options = _options()
    requests = [
        Request(
            messages=(Message(role="user", content=TASK.format(number + 2)),),
            temperature=0.0,
            max_tokens=options.tokens,
        )
        for number in range(options.requests)
    ]
    ways: dict[str, Callable[[], int]] = {
        "transpile": lambda: ours(options.model, requests, options.concurrency),
        "bare loop": lambda: bare(options.model, requests, options.concurrency),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for way in ways.values():
        way()  # The first answers of a server are slow, whoever asks.
    for _ in range(options.rounds):
        for name in random.sample(list(ways), len(ways)):
            begun = time.perf_counter()
            tokens = ways[name]()
            rates[name].append(tokens / (time.perf_counter() - begun))
    for name, measured in rates.items():
        print(
            f"{name:10} {max(measured):9.1f} tokens/s (all: {', '.join(f'{rate:.1f}' for rate in measured)})"
        )
    print(f"ratio      {max(rates['transpile']) / max(rates['bare loop']):9.3f}")


def ours(spec: str, requests: list[Request], concurrency: int) -> int:
    """Return the tokens that our client got."""
    model = open_model(spec, limits=Limits(max_tokens=10**9, concurrency=concurrency), cache=None)
    answers = [item for answer in model.complete(requests) for item in answer]
    failed = [item.message for item in answers if item.finish == "error"]
    assert not failed, failed[0]
    return sum(item.completion_tokens for item in answers)


def bare(spec: str, requests: list[Request], concurrency: int) -> int:
    """Return the tokens that the shortest program got."""
    name, _, url = spec.removeprefix("openai:").partition("@")

    async def one(client: AsyncOpenAI, request: Request, slots: asyncio.Semaphore) -> int:
        async with slots:
            answer = await client.chat.completions.create(
                model=name,
                messages=[{"role": "user", "content": request.messages[0].content}],
                temperature=0.0,
                max_tokens=request.max_tokens,
                seed=0,
            )
        assert answer.usage is not None
        return answer.usage.completion_tokens

    async def everything() -> int:
        slots = asyncio.Semaphore(concurrency)
        async with AsyncOpenAI(base_url=url, api_key="none") as client:
            return sum(await asyncio.gather(*(one(client, request, slots) for request in requests)))

    return asyncio.run(everything())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", metavar="openai:NAME@URL")
    for name, number in (("requests", 32), ("concurrency", 8), ("tokens", 64), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=number)
    return parser.parse_args()


if __name__ == "__main__":
    main()
