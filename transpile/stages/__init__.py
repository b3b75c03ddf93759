"""From units to evidence: rules and models each have their turn, and the testers decide."""

from transpile.stages.models import by_models
from transpile.stages.optimize import optimized
from transpile.stages.own_calls import is_open, with_calls
from transpile.stages.rules import by_rules
from transpile.stages.selection import rivals, selected
from transpile.stages.testing import with_tests
from transpile.stages.work import Decided, Stage, Work, refusal_of

__all__ = [
    "Decided",
    "Stage",
    "Work",
    "by_models",
    "by_rules",
    "is_open",
    "optimized",
    "refusal_of",
    "rivals",
    "selected",
    "with_calls",
    "with_tests",
]
