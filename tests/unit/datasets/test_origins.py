"""Licences as they are found: in the file, else beside it, else above."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile.datasets.origins import licence_of, named

TEXTS = {
    "MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy",
    "Apache-2.0": "                 Apache License\n           Version 2.0, January 2004",
    "BSD-3-Clause": "Redistribution and use in source and binary forms … Neither the name of",
    "BSD-2-Clause": "Redistribution and use in source and binary forms, with or without",
    "GPL-3.0": "GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007",
    "unknown": "All rights reserved.",
}


@pytest.mark.parametrize(("name", "text"), TEXTS.items())
def test_texts_are_known(name: str, text: str) -> None:
    assert named(text.encode()) == name


def test_the_nearest_word_counts(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "LICENSE").write_text(TEXTS["MIT"])
    (tmp_path / "sub" / "a.cu").write_text("int a;")
    (tmp_path / "sub" / "b.cu").write_text("// SPDX-License-Identifier: Apache-2.0\nint b;")
    assert licence_of(tmp_path, "sub/a.cu") == ("MIT", "LICENSE")
    assert licence_of(tmp_path, "sub/b.cu") == ("Apache-2.0", "sub/b.cu")
    (tmp_path / "sub" / "COPYING").write_text(TEXTS["unknown"])
    assert licence_of(tmp_path, "sub/a.cu") == ("unknown", "sub/COPYING")


def test_nothing_is_found_outside(tmp_path: Path) -> None:
    (tmp_path / "LICENSE").write_text(TEXTS["MIT"])
    root = tmp_path / "repository"
    root.mkdir()
    (root / "a.cu").write_text("int a;")
    (root / "LICENSE").symlink_to(tmp_path / "LICENSE")
    assert licence_of(root, "a.cu") == ("", "")
    assert licence_of(root, "../LICENSE") == ("", "")
