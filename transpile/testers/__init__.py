"""CANDIDATE -> VERDICT: trials, and checks in order of cost; the first refusal wins."""

from transpile.testers.proposal import Proposal
from transpile.testers.verdict.court import Judged, judge, judged_each
from transpile.testers.verdict.rerun import confirm, replay

__all__ = ["Judged", "Proposal", "confirm", "judge", "judged_each", "replay"]
