"""Kernels that are cut into pieces have the branches of this build, and refuse other builds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Candidate, Rejected
from transpile.translators.kernels.openmp import propose

KERNEL = """
__global__ void turned(float *a) {{
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
{}
    __syncthreads();
    a[threadIdx.x] = s[63 - threadIdx.x];
}}
void go(float *a) {{ turned<<<1, 64>>>(a); }}
"""


def proposed(place: Path, settings: str, body: str) -> Candidate | Rejected:
    """Return the translation of a kernel with the text in its body."""
    (place / "a.cu").write_text(settings + KERNEL.format(body))
    source = parsers.read(place)
    [kernel] = [unit for unit in source.units if unit.name == "turned"]
    return propose(source, kernel, ())


def text_of(found: Candidate | Rejected) -> str:
    assert isinstance(found, Candidate), found
    return found.replacements[0].text.decode()


@pytest.mark.parametrize(
    ("settings", "body", "guard"),
    [
        ("#define LOUD 0\n", "#if (LOUD > 0)\ns[0] = 7;\n#endif", "#if (LOUD>0)\n#error "),
        ("#define LOUD 1\n", "#if LOUD\n#else\ns[0] = 7;\n#endif", "#if !(LOUD)\n#error "),
        ("", "#ifdef LOUD\ns[0] = 7;\n#endif", "#if defined(LOUD)\n#error "),
        ("", "#ifndef LOUD\n#else\ns[0] = 7;\n#endif", "#if !(!defined(LOUD))\n#error "),
    ],
)
def test_the_branch_of_this_build_is_cut(settings: str, body: str, guard: str, tmp_path: Path) -> None:
    text = text_of(proposed(tmp_path, settings, body))
    assert text.startswith(guard)
    assert "s[0] = 7" not in text and text.count("#if") == 1


def test_another_setting_does_not_build(tmp_path: Path) -> None:
    text = text_of(proposed(tmp_path, "#define LOUD 0\n", "#if LOUD\ns[0] = 7;\n#endif"))
    for setting, status in ((0, 0), (1, 1)):
        file = tmp_path / "port.cpp"
        file.write_text(f"#define LOUD {setting}\n{text}")
        done = subprocess.run(["g++", "-fsyntax-only", file], capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stderr
        assert ("turned was ported for builds without LOUD" in done.stderr) is bool(status)


@pytest.mark.parametrize("body", ["#if LOUD\ns[0] = 7;\n#endif", "#if __OPTIMIZE__\ns[0] = 7;\n#endif"])
def test_what_is_not_known_is_refused(body: str, tmp_path: Path) -> None:
    found = proposed(tmp_path, "#ifdef A\n#define LOUD 1\n#else\n#define LOUD 0\n#endif\n", body)
    assert isinstance(found, Rejected) and found.diagnostics[0].code == "TP207"
