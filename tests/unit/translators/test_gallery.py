"""The gallery's kernels become exactly the OpenMP code that a person has read and accepted."""

from __future__ import annotations

import pytest

from tests.unit.translators import gallery


@pytest.mark.parametrize("name", gallery.names())
def test_translation_is_the_expected_one(name: str) -> None:
    assert gallery.translation(name) == gallery.expected(name).read_text(encoding="latin-1")


def test_every_kernel_has_a_law() -> None:
    for name in gallery.names():
        units = gallery.read(gallery.GALLERY / f"{name}.cu").units
        assert {unit.name for unit in units if unit.kind == "kernel"} == set(gallery.LAWS[name])
