"""Kernels that are cut into pieces have the branches of this build, and refuse other builds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Candidate, Rejected, Source
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
    return translated(parsers.read(place))


def translated(source: Source) -> Candidate | Rejected:
    """Return the translation of the kernel of a source."""
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


BUILD = "all: a.o b.o\n\na.o: a.cu\n\tnvcc {} -c a.cu\nb.o: b.cu\n\tnvcc {} -c b.cu\n"


def built(place: Path, mine: str, other: str, includes: str = "") -> Candidate | Rejected:
    """Return the translation of the kernel where a build compiles its file, and another, with these flags."""
    (place / "a.cu").write_text(KERNEL.format("#if LOUD\n#else\ns[0] = 7;\n#endif"))
    (place / "b.cu").write_text(f"{includes}void rest() {{}}\n")
    (place / "Makefile").write_text(BUILD.format(mine, other))
    return translated(parsers.read(place))


@pytest.mark.parametrize(
    ("mine", "other", "includes"),
    [
        ("-DLOUD", "", ""),
        ("-DLOUD=2", "-DLOUD=0", ""),
        ("-DLOUD=0 -ULOUD -D LOUD=1", "", ""),
        ("-DLOUD=2", "-DLOUD=2", '#include "a.cu"\n'),
    ],
)
def test_what_the_build_defines_is_a_setting(mine: str, other: str, includes: str, tmp_path: Path) -> None:
    text = text_of(built(tmp_path, mine, other, includes))
    assert text.startswith("#if !(LOUD)\n#error ") and "s[0] = 7" not in text


def test_what_another_file_is_built_with_is_none_of_its_own(tmp_path: Path) -> None:
    text = text_of(built(tmp_path, "", "-DLOUD"))
    assert text.startswith("#if LOUD\n#error ") and "s[0] = 7" in text


@pytest.mark.parametrize(
    ("mine", "other", "includes"),
    [
        ("-DLOUD=QUITE", "", ""),
        ("'-DLOUD(x)=x'", "", ""),
        ("-DLOUD=1", "-DLOUD=0", '#include "a.cu"\n'),
        ("-DLOUD=1", "", '#include "a.cu"\n'),
    ],
)
def test_flags_that_leave_a_setting_open_are_refused(
    mine: str, other: str, includes: str, tmp_path: Path
) -> None:
    found = built(tmp_path, mine, other, includes)
    assert isinstance(found, Rejected) and found.diagnostics[0].code == "TP207"
