"""CANDIDATE -> VERDICT: trials, and checks in order of cost; the first refusal wins."""

from transpile.testers.confirm import confirm, replay
from transpile.testers.judge import Judged, judge
from transpile.testers.proposal import Proposal

__all__ = ["Judged", "Proposal", "confirm", "judge", "replay"]
