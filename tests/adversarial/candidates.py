"""Candidates as texts: honest ones, and cheats and mistakes with the checks that refuse them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.sampling import sampled
from transpile.core import Falsified, Inconclusive, Passed, Rejected, Verdict

_MARK = "// === "
_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A candidate, and what must become of it."""

    kernel: str
    name: str
    text: str
    headers: tuple[str, ...]
    refused: frozenset[str]
    """Checks of which one must refuse it; empty: it must be kept."""

    @property
    def id(self) -> str:
        return f"{self.kernel}-{self.name.replace(' ', '-')}"


def read(file: str) -> list[Text]:
    found = []
    for part in ("\n" + (_HERE / file).read_text()).split("\n" + _MARK)[1:]:
        title, _, body = part.partition("\n")
        kernel, name, *checks = (word.strip() for word in title.split("|"))
        lines = body.splitlines()
        headers = tuple(line.removeprefix("#include ") for line in lines if line.startswith("#include "))
        text = "\n".join(line for line in lines if not line.startswith("#include ")).strip() + "\n"
        refused = frozenset(" ".join(checks).split())
        found.append(Text(kernel=kernel, name=name, text=text, headers=headers, refused=refused))
    return found


def reason(verdict: Verdict) -> str:
    """Return the check that refused, or what else became of it."""
    match verdict:
        case Falsified(counterexample=found):
            # Seen from the array that is read, what the other pointer writes there is nobody's to touch.
            shared = found.check == "untouched" and found.trial.aliases
            return "exact" if shared else found.check
        case Rejected(stage=stage):
            return stage
        case Inconclusive(code=code):
            return code
        case Passed():
            return repr(verdict)


TOLD = (
    "axpy-never-ends",
    "axpy-one-past-memory-of-its-own",
    "axpy-one-too-many",
    "axpy-racy-flag",
    "axpy-signed-overflow",
    "axpy-tail-dropped",
    "roots-early-exit-dropped",
    "row_sums-rounded-inputs",
    "strided-one-instantiation",
    "weigh-global-changed",
)
"""Refused ones whose messages and tests are looked at as well."""
REFUSED = sampled(read("refused.cpp"), 20, also=TOLD)
HONEST = sampled(
    read("honest.cpp"), 8, also=("axpy-loop", "histogram-counted", "row_sums-rows", "strided-template")
)
