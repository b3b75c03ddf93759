"""Functions that take memory of the device are judged with buffers that the host does not reach."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.integration.functions import check, learn, unit
from transpile import parsers, translators
from transpile.core import CUDA_ON_DEVICE, Candidate, Replacement, Verdict
from transpile.testers import Proposal, judge
from transpile.toolchains import sandbox
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]

TEXT = """\
void total(const float *x, int n, float *out)
{
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    *out = sum;
}
"""
LOOP = "for (int i = 0; i < n; i++) sum += x[i];"
LAUNCH = "if (n > 0) total_kernel<<<"
AFTER = "    *out = sum;"
Change = Callable[[Candidate], Candidate]


def in_text(old: str, new: str) -> Change:
    def changed(honest: Candidate) -> Candidate:
        [own] = honest.replacements
        assert old.encode() in own.text
        text = own.text.replace(old.encode(), new.encode())
        return replace(honest, replacements=(Replacement(unit=own.unit, text=text),))

    return changed


def on_device(*names: str) -> Change:
    return lambda honest: replace(honest, binding=replace(honest.binding, device=names))


CASES: dict[str, tuple[Change, str]] = {
    "as the rules write it": (lambda honest: honest, "kept"),
    "a sum of the host": (in_text(LAUNCH, f"{LOOP}  //"), "bounds"),
    "a sum of the host behind the kernel": (in_text(AFTER, "    *out = sum + 0 * x[0];"), "bounds"),
    "both are memory of the device": (on_device("x", "out"), "bounds"),
    "neither is": (on_device("out"), "bounds"),
}


@pytest.fixture(scope="module")
def verdicts(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    place = tmp_path_factory.mktemp("source")
    (place / "total.c").write_text(TEXT)
    source = parsers.read(place)
    own, known = unit(source, "total"), learn(workshop, source)["total"]
    assert isinstance(known, tuple), known
    honest = translators.propose(source, own, known, CUDA_ON_DEVICE)
    assert isinstance(honest, Candidate)
    assert (honest.binding.name, honest.binding.device) == ("total_device", ("x",))
    proposals = [
        Proposal(unit=own, contracts=known, candidate=change(honest)) for change, _ in CASES.values()
    ]
    found = judge(workshop, source, proposals)
    return {name: item.verdict for name, item in zip(CASES, found, strict=True)}


@pytest.mark.parametrize("name", CASES)
def test_each_side_reaches_its_own_memory(verdicts: dict[str, Verdict], name: str) -> None:
    assert check(verdicts[name]) == CASES[name][1], verdicts[name]
