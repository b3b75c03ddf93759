"""Fixtures that tests of several modules share."""

from __future__ import annotations

import fcntl
import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests import sampling
from transpile.testers.trials import generate
from transpile.toolchains.workshop import Workshop

Made = TypeVar("Made")
Once = Callable[[str, Callable[[], Made]], Made]

# Hundreds of commands import the package, and each would compile it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

gc.set_threshold(10_000)

# How long an example takes tells of what else the machine does, not of us.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let trials differ from run to run, and long tests be fewer, where that is wanted."""
    parser.addoption(
        "--chance", action="store_true", help="draw trials that nobody can foresee, as the command does"
    )
    parser.addoption(
        "--landing", action="store_true", help="run one of several cases where tests are long, as `make test`"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the cases of a landing before modules list theirs."""
    sampling.configure(config.getoption("--landing"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests marked ``thorough`` to runs that are not for a landing."""
    if not config.getoption("--landing"):
        return
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("thorough")])
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_collection_finish() -> None:
    """Let no judging look at modules and tests for garbage."""
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def _foreseen_trials(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let judging in these processes come out the same in every run; ``--chance`` shows what is luck."""
    with pytest.MonkeyPatch.context() as patch:
        if not request.config.getoption("--chance"):
            patch.setattr(generate, "_nonce", lambda: 7)
        yield


@pytest.fixture(autouse=True, scope="session")
def _nobodys_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no test depend on the configuration of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("configuration")))
        yield


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where all tests of a run build, whichever process they are in."""
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "builds"
    place.mkdir(exist_ok=True)
    return place


@pytest.fixture(scope="session")
def once(builds: Path) -> Once:
    """Return what makes things that have a name once in a run: in the process that needs one first."""

    def made(name: str, make: Callable[[], Made]) -> Made:
        kept = builds.parent / f"{name}.pickle"
        with kept.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.exists():
                kept.write_bytes(pickle.dumps(make()))
        found: Made = pickle.loads(kept.read_bytes())
        return found

    return made


@pytest.fixture(scope="session")
def workshop(builds: Path) -> Workshop:
    """Return where tests that ask for nothing special build and run."""
    return Workshop(cache=builds)


@pytest.fixture(scope="module")
def cache(builds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache that the commands of a module share: no evidence in it, but what tests have built."""
    return _with_builds(tmp_path_factory.mktemp("cache"), builds)


@pytest.fixture
def fresh_cache(builds: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return such a cache for one test."""
    return _with_builds(tmp_path_factory.mktemp("cache"), builds)


def _with_builds(place: Path, builds: Path) -> Path:
    (place / "builds").symlink_to(builds)
    return place
