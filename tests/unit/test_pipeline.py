"""What a verdict's key depends on."""

from __future__ import annotations

from pathlib import Path

from transpile import parsers
from transpile.options import PortOptions
from transpile.pipeline import keys_of

KERNEL = '#include "sizes.h"\n__global__ void fill(int *out) { out[threadIdx.x] = COUNT; }\n'


def keys(root: Path, flags: tuple[str, ...]) -> dict[str, str]:
    """Return the keys of a source as it is now."""
    source = parsers.read(root, flags=flags)
    return keys_of(source, source.units, PortOptions(cache=root, flags=flags))


def test_a_verdict_depends_on_headers_beside_the_source(tmp_path: Path) -> None:
    root, include = tmp_path / "app", tmp_path / "include"
    root.mkdir()
    include.mkdir()
    (root / "main.cu").write_text(KERNEL)
    (include / "sizes.h").write_text("#define COUNT 1\n")
    flags = (f"-I{include}",)
    first = keys(root, flags)
    (include / "other.h").write_text("")
    assert keys(root, flags) == first
    (include / "sizes.h").write_text("#define COUNT 2\n")
    assert keys(root, flags) != first
