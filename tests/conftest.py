"""What tests of several modules share."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from transpile.toolchains.workshop import Workshop

# How long an example takes tells of what else the machine does, not of us.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Return where tests that ask for nothing special build and run: what one has built, the others find."""
    return Workshop(cache=tmp_path_factory.mktemp("builds"))
