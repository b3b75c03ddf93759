"""The gallery's ports compile with both compilers, within their sources and by themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.unit.translators import gallery
from transpile.core import Candidate
from transpile.parsers.lowering.emulation import lower

SIMT = Path(__file__).parents[2] / "transpile" / "simt" / "include"

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("compiler", ["g++", "clang++-19"])
@pytest.mark.parametrize("name", sampled(gallery.names(), 3))
def test_candidates_compile_in_their_translation_unit(name: str, compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    path = gallery.GALLERY / f"{name}.cu"
    found = [item for item in gallery.candidates(name) if isinstance(item, Candidate)]
    texts = {part.unit: part.text for item in found for part in item.replacements}
    headers = sorted({header for item in found for header in item.headers})
    lowered = lower(gallery.read(path), insertions=[texts])[path.name]
    file = tmp_path / f"{name}.cpp"
    file.write_bytes("".join(f"#include {header}\n" for header in headers).encode() + lowered)
    command = [
        compiler,
        "-std=c++17",
        "-fopenmp",
        "-fsyntax-only",
        f"-I{SIMT}",
        "-include",
        "simt/simt.h",
        str(file),
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
