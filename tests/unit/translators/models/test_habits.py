"""Refusals of real servers, and what is left out for each."""

from __future__ import annotations

import pytest

from transpile.translators.models.habits import Habits


@pytest.mark.parametrize(
    ("complaint", "habits"),
    [
        (
            "'max_tokens' Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            Habits(new_limit=True),
        ),
        (
            "'temperature' Unsupported value: 'temperature' does not support 0.8 with this model.",
            Habits(temperature=False),
        ),
        (
            "'response_format' Invalid parameter: 'json_schema' is not supported",
            Habits(structure="json_object"),
        ),
        ("'None' failed to parse grammar", Habits(structure="json_object")),
        ("'seed' Unknown parameter: 'seed'.", Habits(seed=False)),
        ("'n' Only one completion choice is allowed", Habits(many=False)),
        ("'None' n must be 1", Habits(many=False)),
    ],
)
def test_a_refusal_that_names_a_field_is_heeded(complaint: str, habits: Habits) -> None:
    assert Habits().without(complaint) == habits


@pytest.mark.parametrize(
    "complaint", ["'None' maximum context length is 8192 tokens, in all", "'model' no such model", "''"]
)
def test_other_refusals_stand(complaint: str) -> None:
    assert Habits().without(complaint) is None


def test_heeding_ends() -> None:
    """A server that complains of everything, always, is not asked for ever."""
    complaint = "'n' max_completion_tokens response_format seed temperature"
    habits: Habits | None = Habits()
    for _ in range(20):
        habits = habits.without(complaint) if habits else None
    assert habits is None
