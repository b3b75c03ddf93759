"""The judge as tasks of ``verifiers``, which asks it over HTTP: needs ``pip install 'transpile[verifiers]'``.

    from transpile.rewards.environment import TranslationTaskset

It is imported by whoever has that package, and by nothing else here.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator
from pathlib import Path

import verifiers.v1 as vf

from transpile.errors import UsageError
from transpile.rewards.client import Client
from transpile.rewards.grpo import COLUMNS, named
from transpile.rewards.judging import Question

__all__ = ["TranslationTaskset"]

TOKEN = "TRANSPILE_SERVE_TOKEN"


class TranslationConfig(vf.TasksetConfig):
    """Where the tasks and the judge are."""

    tasks: str = ""
    """A file of JSON Lines with the rows that ``transpile.rewards.grpo.rows`` makes."""
    url: str = "http://127.0.0.1:8752"


class TranslationData(vf.TaskData):
    """One unit, and where it is judged."""

    source: str
    unit: str
    target: str
    suffix: str
    url: str


class TranslationTask(vf.Task[TranslationData]):
    """A unit to translate."""

    @vf.reward
    async def judged(self, trace: vf.Trace) -> float:
        """Return what the last answer is worth; the token is read from TRANSPILE_SERVE_TOKEN."""
        data = self.data
        question = Question(source=data.source, unit=data.unit, target=named(data.target), suffix=data.suffix)
        client = Client(url=data.url, token=os.environ.get(TOKEN, ""))
        groups = [(question, [trace.last_reply or ""])]
        [[found]] = await asyncio.to_thread(client.judge_all, groups)
        if found.value is None:
            raise vf.TaskError(found.reason)
        return found.value


class TranslationTaskset(vf.Taskset[TranslationTask, TranslationConfig]):
    """All tasks of a file."""

    def load(self) -> Iterator[TranslationTask]:
        """Yield the tasks."""
        if not self.config.tasks:
            raise UsageError("no file of tasks is named", hint="Set `tasks` in the configuration.")
        with Path(self.config.tasks).open(encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                *system, user = row["prompt"]
                data = TranslationData(
                    prompt=user["content"],
                    system_prompt="\n\n".join(item["content"] for item in system) or None,
                    url=self.config.url,
                    **{name: row[name] for name in COLUMNS},
                )
                yield TranslationTask(data, self.config.task)
