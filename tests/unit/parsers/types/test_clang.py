from pathlib import Path

from transpile.core import TranslationUnit
from transpile.parsers.types import clang

TEXT = b"""
extern "C" { int plain(int a) { return a; } int declared(int a); }
namespace outer {
struct Pair {
    int member() { struct Inner { int hidden() { return 1; } }; return Inner().hidden(); }
    friend int beside(Pair) { return 2; }
};
template <class T> T generic(T value) { return value; }
namespace { int unnamed() { return 3; } }
}
"""


def test_functions_are_found_wherever_they_are_defined() -> None:
    parsed = clang.parse(Path("/r"), {"a.cpp": TEXT}, TranslationUnit(path="a.cpp"), plain=True)
    found = {item.spelling for item in clang.functions(parsed)}
    assert found == {"plain", "member", "beside", "generic", "unnamed"}
