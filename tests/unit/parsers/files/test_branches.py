"""Branches that a build compiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.core import CUDA, Source, Span, TranslationUnit, Unit, UnitKind
from transpile.parsers.files.branches import compiled

BOTH = b"x\ny\n"


def text_of(
    body: str,
    settings: str = "",
    flags: tuple[str, ...] = (),
    included: str = "settings.h",
    place: str = "settings.h",
) -> bytes:
    text = body.encode()
    front = f'#include "{included}"\n'.encode()
    unit = Unit(
        id="k",
        kind=UnitKind.KERNEL,
        path="a.cu",
        name="k",
        span=Span(start=len(front), end=len(front + text)),
        translation_unit="a.cu",
        line=1,
        text=text,
    )
    source = Source(
        root=Path(),
        files={"a.cu": front + text, place: settings.encode()},
        dialect=CUDA,
        translation_units=tuple(
            TranslationUnit(path=path, flags=flags) for path in ("a.cu", place) if path.endswith(".cu")
        ),
        units=(unit,),
        signatures={},
        launches=(),
    )
    return compiled(source, unit)


@pytest.mark.parametrize(
    ("body", "settings", "left"),
    [
        ("#if (LEVEL > 0)\nx\n#endif\ny\n", "#define LEVEL 0", b"y\n"),
        ("#if (LEVEL > 0)\nx\n#endif\ny\n", "#define LEVEL 2", BOTH),
        ("#if LEVEL\nz\n#else\nx\n#endif\ny\n", "#define LEVEL (0)", BOTH),
        ("#ifdef LEVEL\nx\n#endif\ny\n", "#define LEVEL 0", BOTH),
        ("#ifndef NOBODYS\nx\n#endif\ny\n", "", BOTH),
        ("#if NOBODYS == 1\nz\n#elif WIDE >= 4\nx\n#else\nz\n#endif\ny\n", "#define WIDE 4", BOTH),
        ("#if A\n#if B\nz\n#endif\nx\n#endif\ny\n", "#define A 1\n#define B 0", BOTH),
    ],
)
def test_known_settings_decide(body: str, settings: str, left: bytes) -> None:
    assert text_of(body, settings) == left


@pytest.mark.parametrize(
    ("condition", "settings", "flags"),
    [
        ("LEVEL", "#ifdef Q\n#define LEVEL 1\n#else\n#define LEVEL 0\n#endif", ()),
        ("LEVEL", "#define LEVEL 1\n#undef LEVEL", ()),
        ("LEVEL", "#define LEVEL OTHER", ()),
        ("LEVEL(1)", "#define LEVEL(x) x", ()),
        ("LEVEL", "", ("-DLEVEL=0",)),
        ("__OPTIMIZE__", "", ()),
        ("sizeof(int) == 4", "", ()),
    ],
)
def test_what_is_not_known_for_certain_stays(condition: str, settings: str, flags: tuple[str, ...]) -> None:
    body = f"#if {condition}\nx\n#endif\ny\n"
    assert text_of(body, settings, flags) == body.encode()


def test_what_a_file_defines_that_is_not_included_is_not_known() -> None:
    body = "#ifndef LEVEL\nx\n#endif\ny\n"
    assert text_of(body, "#define LEVEL 1") == b"y\n"
    assert text_of(body, "#define LEVEL 1", included="other.h") == body.encode()


def test_what_another_translation_unit_defines_is_its_own() -> None:
    body = "#ifdef LEVEL\nx\n#endif\ny\n"
    assert text_of(body, "#define LEVEL 1", place="other.cu") == b"y\n"
    assert text_of(body, "#define LEVEL 1", included="other.cu", place="other.cu") == b"x\ny\n"
