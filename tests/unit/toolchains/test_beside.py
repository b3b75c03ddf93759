"""Headers beside a source, as far as its files reach them."""

from __future__ import annotations

from pathlib import Path

from transpile.toolchains.beside import headers_beside


def test_what_is_included_at_any_depth_is_found_and_nothing_else(tmp_path: Path) -> None:
    include = tmp_path / "include"
    (include / "deep").mkdir(parents=True)
    (include / "a.h").write_bytes(b'#include <deep/b.h>\n#include "a.h"\n')
    (include / "deep" / "b.h").write_bytes(b'  #  include "c.h"\n#include <vector>\n')
    (include / "deep" / "c.h").write_bytes(b"int c;\n")
    (include / "unused.h").write_bytes(b"")
    forced = tmp_path / "forced.h"
    forced.write_bytes(b"")
    flags = ["-Iinside", f"-I{include}", f"-I{tmp_path}/gone", "-include", str(forced), "-I/usr/include"]
    found = headers_beside({"main.cu": b'#include "a.h"\n#include <stdio.h>\n'}, flags)
    assert {Path(path).relative_to(tmp_path).as_posix() for path in found} == {
        "include/a.h",
        "include/deep/b.h",
        "include/deep/c.h",
        "forced.h",
    }
    assert found[str(include / "deep" / "c.h")] == b"int c;\n"
    assert headers_beside({"main.cu": b'#include "a.h"\n'}, ["-Iinside"]) == {}
