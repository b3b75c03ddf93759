"""Texts on which parsers do not end, or die: the file is left out in bounded time, the others are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile import parsers
from transpile.parsers.isolated import Reader

GOOD = "void good(int n, float *x) { for (int i = 0; i < n; ++i) x[i] = 2 * x[i]; }\n"
LOOP = "void bad(int n, float *x) {{ for (int i = 0; i < n; ++i) {} }}\n"
TWICE = '#if __INCLUDE_LEVEL__ < 60\n#include "{0}"\n#include "{0}"\n#endif\n'
DOUBLED = "\n".join(f"#define A{i} A{i - 1} A{i - 1}" for i in range(1, 50))
BOMBS = {
    "macros in macros": ("bad.c", f"#define A0 x\n{DOUBLED}\nint y[] = {{ A49 }};\n"),
    "arguments in arguments": (
        "bad.c",
        "#define F(x) x x\n" + LOOP.format(f"x[i] = {'F(' * 50}1{')' * 50};"),
    ),
    "a file in itself": ("bad.c", TWICE.format("bad.c")),
    "a header in itself": ("bad.c", '#include "twice.inc"\n'),
    "templates": (
        "bad.cpp",
        "template <int N, int K> struct F { enum { v = F<N - 1, K>::v + F<N - 1, K + (1 << N)>::v }; };\n"
        "template <int K> struct F<0, K> { enum { v = 1 }; };\nint y = F<40, 0>::v;\n",
    ),
    "a template without end": (
        "bad.cpp",
        "template <class T> struct P {}; template <class T> auto f(T) -> decltype(f(P<T>{}));\n"
        "template <int N> struct G { G<N + 1> a; G<N + 2> b; }; G<0> g;\n",
    ),
    "a sum of 300,000 terms": ("bad.c", LOOP.format(f"x[i] = {'1 + ' * 300000}1;")),
    "50,000 else": ("bad.c", LOOP.format("if (x[i]) x[i] = 2; else " * 50000 + "x[i] = 1;")),
    "300,000 stars": ("bad.c", f"void bad(int n, float {'*' * 300000}x) {{ x = 0; }}\n"),
    "100,000 parentheses": ("bad.c", LOOP.format(f"x[i] = {'(' * 100000}1{')' * 100000};")),
    "100,000 braces": ("bad.c", LOOP.format(f"{'{' * 100000}x[i] = 1;{'}' * 100000}")),
    "100,000 namespaces": ("bad.cpp", "namespace a {" * 100000 + LOOP.format("x[i] = 1;") + "}" * 100000),
    "200,000 functions": ("bad.c", "".join(f"int f{i}(int x) {{ return x; }}\n" for i in range(200000))),
    "launches without end": ("bad.cu", "__global__ void k() {}\nvoid f() { k" + "<<<" * 100000 + "\n"),
}


@pytest.mark.parametrize("bomb", sampled(BOMBS, 3))
def test_what_parsers_do_not_bear_costs_its_file_alone(bomb: str, tmp_path: Path) -> None:
    """It is read, or left out and named; nothing else suffers."""
    name, text = BOMBS[bomb]
    (tmp_path / name).write_text(text)
    (tmp_path / "good.c").write_text(GOOD)
    (tmp_path / "twice.inc").write_text(TWICE.format("twice.inc"))
    source = parsers.read(tmp_path, reader=Reader(seconds=3.0, memory=1 << 30))
    assert source.signatures["good.c::good(int,float*)"]
    left_out = [(item.code, item.path) for item in source.diagnostics if item.code == "TP103"]
    assert (name in source.outside) == (("TP103", name) in left_out)


def test_a_build_that_is_nested_too_deeply_is_none(tmp_path: Path) -> None:
    """It does not count as described."""
    (tmp_path / "good.c").write_text(GOOD)
    (tmp_path / "compile_commands.json").write_text("[" * 100000)
    source = parsers.read(tmp_path)
    assert [unit.name for unit in source.units] == ["good"]
