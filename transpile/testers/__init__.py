"""CANDIDATE -> VERDICT: trials, and checks in order of cost; the first refusal wins."""

from transpile.testers.proposal import Proposal
from transpile.testers.verdict.rerun import confirm, replay
from transpile.testers.verdict.session import Judged, judge, judged_each

__all__ = ["Judged", "Proposal", "confirm", "judge", "judged_each", "replay"]
