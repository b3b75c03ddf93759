"""What tests of several modules share."""

from __future__ import annotations

import pytest

from transpile.toolchains.workshop import Workshop


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """Return where tests that ask for nothing special build and run: what one has built, the others find."""
    return Workshop(cache=tmp_path_factory.mktemp("builds"))
