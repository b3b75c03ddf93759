from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.cli import ports
from transpile.core import (
    Attempt,
    Binding,
    Candidate,
    Claim,
    Counterexample,
    Evidence,
    Falsified,
    Guarantee,
    Inconclusive,
    Level,
    Passed,
    ProgramVerdict,
    Proof,
    Replacement,
    Span,
    Trial,
    Unit,
    UnitKind,
    Verdict,
    digest,
)
from transpile.errors import MachineFault, UsageError
from transpile.store import ID_LENGTH, Ports, Store, own_code


def unit(text: bytes = b"__global__ void k() {}") -> Unit:
    return Unit(
        id="a.cu::k()",
        kind=UnitKind.KERNEL,
        path="a.cu",
        name="k",
        span=Span(start=0, end=len(text)),
        line=1,
        text=text,
    )


def evidence(text: bytes = b"__global__ void k() {}", verdict: Verdict | None = None) -> Evidence:
    candidate = Candidate(
        unit="a.cu::k()",
        replacements=(Replacement(unit="a.cu::k()", text=b"void k() {}\xff"),),
        binding=Binding(name="k", arguments=()),
    )
    attempt = Attempt(candidate=candidate, verdict=verdict or Inconclusive(reason="why"))
    return Evidence(unit=unit(text), contracts=(), attempts=(attempt,))


numbers = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False)
trials = st.builds(
    Trial,
    seed=st.integers(0, 2**64),
    fill=st.sampled_from(["exact", "real", "edge"]),
    scalars=st.lists(st.tuples(st.text(), numbers), max_size=3).map(tuple),
)
proofs = st.builds(
    Proof,
    claims=st.lists(st.sampled_from(Claim), max_size=2).map(tuple),
    assumptions=st.lists(st.text(), max_size=2).map(tuple),
    unproved=st.lists(st.tuples(st.sampled_from(Claim), st.text()), max_size=2).map(tuple),
    seconds=st.floats(0, 10),
)
verdicts = st.one_of(
    st.builds(Inconclusive, reason=st.text()),
    st.builds(
        Falsified,
        counterexample=st.builds(
            Counterexample, trial=trials, where=st.text(), expected=st.text(), got=st.text(), check=st.text()
        ),
    ),
    st.builds(
        Passed,
        guarantee=st.builds(
            Guarantee,
            level=st.sampled_from(Level),
            trials=st.integers(0, 1000),
            checks=st.lists(st.text(), max_size=2).map(tuple),
            coverage=st.none() | st.floats(0, 1),
            proof=st.none() | proofs,
        ),
    ),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(text=st.binary(), verdict=verdicts, pool=st.lists(trials, max_size=3))
def test_what_is_saved_is_found(tmp_path: Path, text: bytes, verdict: Verdict, pool: list[Trial]) -> None:
    plain = evidence(text, verdict)
    item = Evidence(unit=plain.unit, contracts=(), attempts=plain.attempts, pool=tuple(pool), seconds=0.25)
    key = digest(text, repr(verdict), repr(pool))
    saved = Store(tmp_path).save(key, item)
    assert saved.id == key[:ID_LENGTH]
    assert Store(tmp_path).find(key) == saved
    assert [type(value) for one in saved.pool for _, value in one.scalars] == [
        type(value) for one in item.pool for _, value in one.scalars
    ]


def test_texts_for_people_lie_beside(tmp_path: Path) -> None:
    saved = Store(tmp_path).save(digest("key"), evidence())
    place = Store(tmp_path).path(saved.id)
    assert (place / "source.cu").read_bytes() == b"__global__ void k() {}"
    assert (place / "candidate-1.cpp").read_bytes() == b"void k() {}\xff"


def test_a_later_verdict_replaces_an_earlier_one(tmp_path: Path) -> None:
    store, key = Store(tmp_path), digest("key")
    store.save(key, evidence())
    store.save(key, evidence(verdict=Inconclusive(reason="later")))
    found = store.find(key)
    assert found is not None
    assert found.verdict == Inconclusive(reason="later")
    assert len(list(store)) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [key[:ID_LENGTH]]


def test_what_is_damaged_counts_as_not_decided(tmp_path: Path) -> None:
    store, key = Store(tmp_path), digest("key")
    saved = store.save(key, evidence())
    data = store.path(saved.id) / "evidence.json"
    data.write_bytes(data.read_bytes()[:-20])
    assert store.find(key) is None
    assert list(store) == []
    store.save(key, evidence())
    assert store.find(key) == saved


def test_a_different_key_with_the_same_id_is_not_taken_for_it(tmp_path: Path) -> None:
    store, key = Store(tmp_path), digest("key")
    store.save(key, evidence())
    assert store.find(key[:ID_LENGTH] + "0" * 52) is None


def test_an_id_may_be_cut_short(tmp_path: Path) -> None:
    store = Store(tmp_path)
    saved = store.save("a1" + "0" * 62, evidence())
    store.save("a2" + "0" * 62, evidence())
    assert store.get("a1") == saved
    with pytest.raises(UsageError, match="ambiguous"):
        store.get("a")
    for nothing in ("b", "", "../a1", "."):
        with pytest.raises(UsageError, match="no evidence"):
            store.get(nothing)


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_store import evidence
from transpile.core import digest
from transpile.store import Store
store = Store(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(100_000):
    store.save(digest(str(number)), evidence(b"x" * 20_000))
    print(number, flush=True)
"""


@pytest.mark.parametrize("patience", [0.02, 0.1, 0.25])
def test_kill_in_the_middle_of_writing(tmp_path: Path, patience: float) -> None:
    root = tmp_path / "evidence"
    here = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), here], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert process.stdout.readline() == "0\n"
        time.sleep(patience)
        process.send_signal(signal.SIGKILL)
        said = ["0", *process.stdout.read().split("\n")]
    numbers_done = [int(line) for line in said if line.isdigit()]
    store = Store(root)
    for number in numbers_done:
        assert store.find(digest(str(number))) is not None, "what was reported as saved is lost"
    shown = [path for path in root.iterdir() if not path.name.startswith(".")]
    assert all((path / "evidence.json").read_bytes().endswith(b"}\n") for path in shown)
    assert len(list(store)) == len(shown)
    # And the next process goes on where this one was killed.
    following = digest(str(max(numbers_done) + 1))
    store.save(following, evidence())
    assert store.find(following) is not None


def test_the_judge_is_known_by_its_own_code() -> None:
    assert len(own_code()) == 64
    assert own_code() == own_code()


def test_a_port_is_found_again_by_its_lock(tmp_path: Path) -> None:
    program = ProgramVerdict(command="./main", verdict=ports.FALSIFIED)
    port = ports.port(ports.PROVED, ports.FALSIFIED, ports.REJECTED, programs=(program,))
    store = Ports(tmp_path / "ports")
    store.save(b"lock", port)
    store.save(b"another", ports.port())
    assert store.get(b"lock") == port
    assert sorted(entry.suffix for entry in (tmp_path / "ports").iterdir()) == [".json", ".json"]


def test_a_port_that_cannot_be_told_says_so(tmp_path: Path) -> None:
    store = Ports(tmp_path / "ports")
    with pytest.raises(UsageError, match="how this port was made"):
        store.get(b"lock")
    store.save(b"lock", ports.port())
    (record,) = (tmp_path / "ports").iterdir()
    record.write_bytes(b"{}")
    with pytest.raises(UsageError, match="how this port was made"):
        store.get(b"lock")


def test_a_port_of_names_that_are_not_text_is_saved(tmp_path: Path) -> None:
    Ports(tmp_path).save(b"lock", replace(ports.port(), build_command="make \udce4", source=Path("/\udce4")))
    assert list(tmp_path.glob("*.json"))


def test_evidence_that_was_edited_validly_is_not_believed(tmp_path: Path) -> None:
    store, key = Store(tmp_path), digest("key")
    saved = store.save(key, evidence(verdict=ports.PASSED))
    place = store.path(saved.id) / "evidence.json"
    text = place.read_text()
    assert store.find(key) == saved
    place.write_text(text.replace('"trials": 120', '"trials": 121'))
    assert place.read_text() != text
    assert store.find(key) is None
    with pytest.raises(UsageError, match="no evidence"):
        store.get(saved.id)
    # It is decided again, and that is believed.
    assert store.save(key, saved) == store.find(key)


def test_what_a_machine_that_is_short_could_not_show_is_no_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, lacking = Store(tmp_path), MachineFault("the disk is full")
    monkeypatch.setattr("transpile.store.machine.shortage", lambda place: lacking)
    with pytest.raises(MachineFault):
        store.save(digest("key"), evidence(verdict=Inconclusive(reason="no branch was taken")))
    assert store.find(digest("key")) is None
    assert store.save(digest("other"), evidence(verdict=ports.PASSED)) == store.find(digest("other"))
