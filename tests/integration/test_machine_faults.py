"""A machine that lacks something: exit status 2, and nothing of it is a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.machine_faults import FAULTS, Fault, suffer
from tests.sampling import sampled
from transpile.toolchains import sandbox

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]


@pytest.fixture(scope="module")
def own_builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a place for builds of these tests alone: some of them spoil it."""
    return tmp_path_factory.mktemp("builds")


@pytest.mark.parametrize("fault", sampled(FAULTS, 12), ids=lambda fault: fault.id)
def test_a_fault_of_the_machine_is_no_verdict(fault: Fault, tmp_path: Path, own_builds: Path) -> None:
    found = suffer(fault, tmp_path, own_builds)
    assert found.status == fault.status
    assert found.survived == fault.survived
    assert not found.others
    assert found.known == fault.known
