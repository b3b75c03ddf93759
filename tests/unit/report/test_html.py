"""The page as a browser reads it: well-formed, on its own, and deaf to what sources try to say in it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.unit.cli import ports
from tests.unit.report.test_wording import FLOAT, INT
from transpile.cli import explain
from transpile.core import (
    ArrayFact,
    Attempt,
    ByModel,
    Claim,
    Contract,
    Covers,
    Evidence,
    Level,
    Parameter,
    Passed,
    Port,
    ProgramVerdict,
    Proof,
    Range,
    Replacement,
    Role,
    ScalarFact,
    Signature,
    Strength,
    Unit,
    UnitKind,
)
from transpile.report import html

INLINE = {"span", "mark", "code", "small", "strong", "em", "a"}
VOID = {"meta", "input", "col", "br", "hr"}
HOSTILE = (
    b"/* </script><script>alert(1)</script> <img src=x onerror=alert(2)> \xe4 */ __global__ void k0(int n) {}"
)
CONTRACT = Contract(
    signature=Signature(
        name="k0",
        parameters=(
            Parameter(name="x", spelling="float *", element=FLOAT, pointer=True),
            Parameter(name="n", spelling="int", element=INT, pointer=False),
        ),
    ),
    arrays=(ArrayFact(name="x", role=Role.INOUT, extent="2 * n + 1"),),
    scalars=(ScalarFact(name="n", values=Range(low="0", high="2147483647"), size=True),),
    law=Covers(x="n"),
    relations=("n >= 3",),
    samples=57,
    held_out=12,
)
SHOWN = Passed(
    guarantee=replace(
        ports.PASSED.guarantee,
        level=Level.HARDENED,
        coverage=0.9899,
        unreachable=2,
        strength=Strength(
            mutants=60,
            killed=56,
            equivalent=3,
            survivors=("a.cu:4: boundary: `<` becomes `<=`",),
            possible=90,
        ),
        tolerance="x: within 25 roundings",
        requires=("x has n + 2 elements",),
        built_by="g++ 12",
        proof=Proof(
            claims=(Claim.PARALLEL,),
            assumptions=("arrays do not overlap",),
            unproved=((Claim.AGREES, "not modelled: a structure"),),
            seconds=0.5,
        ),
    )
)


class Page(HTMLParser):
    """What a page holds; an unbalanced one is refused."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.scripts = ""
        self.text = ""
        self._open: list[str] = []
        self.feed(data.decode("utf-8"))
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        facts = dict(attrs)
        self.attributes |= facts.keys()
        if facts.get("id"):
            self.ids.append(str(facts["id"]))
        self.links += [str(facts[name]) for name in ("href", "src") if name in facts]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, f"</{tag}> at {self.getpos()}"
        self.text += "" if tag in INLINE else " "

    def handle_data(self, data: str) -> None:
        if self._open[-1:] == ["script"]:
            self.scripts += data
        elif self._open[-1:] != ["style"]:
            self.text += data

    @property
    def words(self) -> str:
        return " ".join(self.text.split())


def a_unit(source: bytes = b"__global__ void k0(int n) {}") -> Evidence:
    """Return a unit of which everything is known."""
    plain = ports.evidence("k0", SHOWN)
    helper = Unit(
        id="src/a.cu::twice(int)",
        kind=UnitKind.DEVICE,
        path="src/a.cu",
        name="twice",
        span=plain.unit.span,
        line=1,
        text=b"__device__ int twice(int a) { return 2 * a; }",
    )
    assert plain.candidate is not None
    candidate = replace(
        plain.candidate,
        replacements=(
            *plain.candidate.replacements,
            Replacement(unit=helper.id, text=b"int twice(int a) { return 2 * a; }"),
        ),
        origin=ByModel(model="some-model", prompt="d1935e", round=2, sample=1),
    )
    first = replace(
        plain.candidate, replacements=(Replacement(unit=plain.unit.id, text=b"void k0() { wrong(); }"),)
    )
    return replace(
        plain,
        unit=replace(plain.unit, text=source),
        contracts=(CONTRACT,),
        closure=(helper,),
        optimization=ports.OPTIMIZED,
        selection=ports.SELECTED,
        attempts=(
            Attempt(candidate=first, verdict=ports.FALSIFIED),
            Attempt(candidate=None, verdict=ports.REJECTED),
            Attempt(candidate=candidate, verdict=SHOWN),
        ),
        provenance=(("transpile", "0.1.0+abc"), ("seed", "7"), ("source", "/somewhere/source")),
    )


def a_port(*more: Evidence) -> Port:
    port = ports.port(
        ports.PROVED, ports.FALSIFIED, ports.REJECTED, ports.UNDECIDED, ports.BUILT,
        programs=(
            ProgramVerdict(command="./main 16", verdict=ports.PASSED),
            ProgramVerdict(command="./main 17", verdict=ports.UNDECIDED),
        ),
        built=False,
    )  # fmt: skip
    return replace(port, evidence=(*more, *port.evidence))


def rendered(port: Port) -> Page:
    return Page(html.page(port, explain.explanations()))


def test_the_page_stands_alone_and_every_link_leads_somewhere() -> None:
    page = rendered(a_port(a_unit()))
    assert page.tags["script"] == page.tags["style"] == 1
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    assert len(page.links) > 5
    assert len(page.ids) == len(set(page.ids))
    assert "http" not in page.scripts


def test_what_came_of_it_is_said_first() -> None:
    words = rendered(a_port(a_unit())).words
    assert "source to OpenMP" in words
    assert "2 of 6 units kept at level tested. Build: make, which fails" in words
    assert "Program runs that give what the source gives: 1 of 2." in words
    assert "verified" not in words


@pytest.mark.parametrize(
    "expected",
    [
        "passed 120 trials",
        "98.9 % of the source's taken; 2 count as unreachable",
        "56 of 57 noticed (98.2 %); 3 more are shown to be no fault; a sample of 90",
        "a.cu:4: boundary: `<` becomes `<=`",
        "x: within 25 roundings",
        "Callers have to keep to x has n + 2 elements",
        "Proved, apart from the trials No two iterations of its parallel loops",
        "Assumed arrays do not overlap",
        "Not proved that it agrees with its source: not modelled: a structure",
        "2 * n + 1",
        "0 … 2147483647",
        "Every launch of at least n threads along x.",
        "n >= 3",
        "57 traced calls; 12 held out",
        'extents = { x = "2 * n + 1" }',
        "Rules: ✗ falsified out[17]: expected 1, got 2",
        "wrong();",
        "TP201 texture",
        "What it calls: twice",
        "__device__ int twice(int a)",
        "Made by: The language model some-model, round 2, answer 1.",
        "Rules, which refused: - rejected TP201",
        "transpile dialogue 0123456789ab",
        "n=17, x=0.5, grid=2, block=4x2, exact fill, seed 5",
        "seed 7",
        "transpile replay 0123456789ab",
        "Nothing was proved of this unit.",
        "source is racy",
        "Over the translation that was kept first: 2.00 times as fast (1.50 … 2.50): 1 ms instead of 2 ms "
        "with n = 4096; 24 blocks, threads: 2, load: 0.5.",
        "tile: applied: 2.00 times as fast",
        "loops, openmp: taken: 2.00 times as fast",
        "The source itself, beside what is kept: 2.00 times as fast",
        "Speed was measured on one machine",
        "fuse: refused: It does not compile.",
        "passed at level built, below the required level tested",
        "TP403",
        "Why it matters.",
        "./main 17",
    ],
)
def test_everything_known_of_a_unit_is_there(expected: str) -> None:
    assert expected in rendered(a_port(a_unit())).words


def test_sources_cannot_speak_as_the_page() -> None:
    plain, attacked = rendered(a_port(a_unit())), rendered(a_port(a_unit(HOSTILE)))
    assert attacked.tags["script"] == 1
    assert attacked.scripts == plain.scripts
    assert "img" not in attacked.tags
    assert attacked.attributes == plain.attributes
    assert "</script><script>alert(1)</script>" in attacked.words
    assert "\\xe4" in attacked.text


@pytest.mark.parametrize(
    "hostile", ['"><script>alert(1)</script>', "</style><script>", "' onclick='x", "{{ 7 * 7 }}"]
)
def test_neither_can_names_reasons_nor_values(hostile: str) -> None:
    unit = a_unit()
    found = replace(
        ports.FALSIFIED,
        counterexample=replace(ports.FALSIFIED.counterexample, where=hostile, expected=hostile, got=hostile),
    )
    port = a_port(
        replace(unit, unit=replace(unit.unit, id=hostile, name=hostile, path=hostile)),
        replace(unit, attempts=(Attempt(candidate=unit.candidate, verdict=found),)),
    )
    undecided = ProgramVerdict(command=hostile, verdict=replace(ports.UNDECIDED, reason=hostile))
    page = rendered(replace(port, source=Path("/a") / hostile, build_command=hostile, programs=(undecided,)))
    assert page.tags["script"] == page.tags["style"] == 1
    assert page.attributes == rendered(a_port(unit)).attributes
    assert hostile in page.text


def test_nothing_but_our_own_script_may_run() -> None:
    data = html.page(a_port(), explain.explanations()).decode("utf-8")
    policy = data.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    script = data.partition("<script>")[2].partition("</script>")[0]
    style = data.partition("<style>")[2].partition("</style>")[0]
    assert policy == (
        f"default-src 'none'; style-src '{html.hash_source(style)}'; "
        f"script-src '{html.hash_source(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def test_names_that_are_not_text_are_spelt_out() -> None:
    unit = a_unit()
    page = rendered(a_port(replace(unit, unit=replace(unit.unit, path="src/\udce4.cu"))))
    assert "src/\\xe4.cu" in page.text


def test_marks_of_direction_are_seen() -> None:
    undecided = replace(ports.UNDECIDED, reason="a\u202eb")
    page = rendered(ports.port(undecided))
    assert "\u202e" not in page.text
    assert "a\\u202eb" in page.text


def test_units_that_are_not_kept_come_first_and_open() -> None:
    data = html.page(a_port(a_unit()), explain.explanations()).decode("utf-8")
    parts = data.split('<details class="unit ')[1:]
    assert [part.split('"')[0] for part in parts] == [
        "falsified", "rejected", "inconclusive", "below", "passed", "passed",
    ]  # fmt: skip
    assert [" open>" in part.partition("\n")[0] for part in parts] == [True] * 4 + [False] * 2


def test_every_form_of_a_unit_has_its_contract() -> None:
    forms = [
        replace(CONTRACT, signature=replace(CONTRACT.signature, template_arguments=of))
        for of in ("int", "long")
    ]
    words = rendered(a_port(replace(a_unit(), contracts=tuple(forms)))).words
    assert "With int" in words
    assert "With long" in words


def test_a_port_without_units() -> None:
    words = rendered(ports.port()).words
    assert "0 of 0 units kept" in words
    assert "No unit was judged." in words
    assert "No program was run." in words
