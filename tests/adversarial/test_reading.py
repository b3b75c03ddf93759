"""Texts that would read what is not their repository's while they are compiled; files named like options."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adversarial import needs
from transpile.core import TranslationUnit
from transpile.toolchains.build import BuildFailed, Built, build_library
from transpile.toolchains.compilation import Compilation
from transpile.toolchains.recipes import Flavour
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

MARKER = "MARKER_0123456789"
CODE = 'extern "C" int one(void) { return 1; }\n'
TEXTS = {
    "quoted": '#include "{secret}"\n',
    "angled": "#include <{secret}>\n",
    "upward": '#include "../../../../../../../../../../../../../../..{secret}"\n',
    "assembler": '__asm__(".section .rodata\\n.incbin \\"{secret}\\"\\n.text");\n',
    "in assembler": '__asm__(".section .rodata\\n.include \\"{secret}\\"\\n.text");\n',
}


def build(workshop: Workshop, path: str, text: str, *flags: str) -> Built | BuildFailed:
    unit = TranslationUnit(path=path, flags=flags)
    made = Compilation(files={path: text.encode()}, unit=unit, emulated=False)
    return build_library(workshop, made, Flavour.PLAIN)


@pytest.mark.parametrize("way", TEXTS)
@pytest.mark.parametrize("opened", [False, True])
def test_a_text_reads_nothing_outside(way: str, opened: bool, workshop: Workshop, tmp_path: Path) -> None:
    """With the folder opened the same text has what it asks for: else it would show nothing."""
    secret = tmp_path / "private" / "secret.h"
    secret.parent.mkdir()
    secret.write_text(f'extern "C" const char marked[] = "{MARKER}";\n')
    text = TEXTS[way].format(secret=secret) + CODE
    built = build(workshop, "a.cpp", text, *([f"-I{secret.parent}"] if opened else []))
    seen = built.output.encode() if isinstance(built, BuildFailed) else built.path.read_bytes()
    assert (MARKER.encode() in seen) == opened


@pytest.mark.parametrize("name", ["@options.cpp", "-include.cpp", "-DODD.cpp"])
def test_a_file_is_no_option_whatever_its_name(name: str, workshop: Workshop) -> None:
    """``g++ @options.cpp`` reads the file for options: each of the words in it would be one."""
    built = build(workshop, name, "/* -wrapper sh,-c,exit */\n" + CODE)
    assert isinstance(built, Built), built.output
