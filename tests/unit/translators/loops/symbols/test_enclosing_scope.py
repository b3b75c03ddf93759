"""Macros and functions that loops may call."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.code.syntax import called, find, parse
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS
from transpile.translators.loops.analysis.plan import Band
from transpile.translators.loops.planning.work import work
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope, enclosing_scope

TEXT = """
#define HALF(x) ((x) / 2)
#define BEST(a, b) ((a) > (b) ? (a) : (b))
#define NEXT() (counter++)
#define SET(x) ((x) += 2)
#define SAME(a, b) ((a) == (b) && (a) <= 4)
#define ROOT(x) sqrt(HALF(x))
#define OTHER(x) unknown(x)
#define WIDTH 64
#define LENGTH width
#define RADIUS (2)
#define STEPS 2
#define STEPS 3
#define NUMBER double
#define POINTER double *
typedef unsigned long size;
typedef NUMBER real;
typedef struct pair pair;
typedef int (*callback)(int);
using place = std::ptrdiff_t;
static int counter;
static int width;
static float square(float v) { float w = v; w *= v; return w; }
static float twice(float v) { return square(v) + ROOT(v); }
static int counted(int v) { counter += v; return counter; }
static int wide(int v) { return v * width; }
static int named(int v) { return v * LENGTH + WIDTH; }
static float first(const float *x) { return x[0]; }
static int kept(int v) { static int last; last += v; return last; }
static int deep(int v) { return v > 0 ? deep(v - 1) : 0; }
static int fixed(int v) { return v * WIDTH; }
int main(void) { return 0; }
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> EnclosingScope:
    root = tmp_path_factory.mktemp("source")
    (root / "a.c").write_text(TEXT)
    source = parsers.read(root)
    return enclosing_scope(source, source.units[0])


@pytest.mark.parametrize("name", ["HALF", "BEST", "SAME", "ROOT", "square", "twice", "fixed", "std::sqrt"])
def test_values_of_their_arguments_may_be_called(found: EnclosingScope, name: str) -> None:
    assert found.calls(name)


@pytest.mark.parametrize(
    "name", ["NEXT", "SET", "OTHER", "counted", "wide", "named", "first", "kept", "deep", "unknown"]
)
def test_what_does_more_may_not(found: EnclosingScope, name: str) -> None:
    assert not found.calls(name)


@pytest.mark.parametrize("name", ["NUMBER", "size", "real", "place", "int32_t"])
def test_types_of_numbers_in_parentheses_are_casts(found: EnclosingScope, name: str) -> None:
    assert found.calls(f"({name})")


@pytest.mark.parametrize("name", ["POINTER", "pair", "callback", "WIDTH", "counter", "unknown"])
def test_other_names_in_parentheses_are_called(found: EnclosingScope, name: str) -> None:
    assert not found.calls(f"({name})")


def test_names_of_macros_are_fixed_where_what_they_name_is(found: EnclosingScope) -> None:
    assert found.fixed("WIDTH", ()) and found.fixed("LENGTH", ("n",))
    assert not found.fixed("LENGTH", ("width",)) and not found.fixed("width", ())


def test_macros_are_numbers_where_all_definitions_agree(found: EnclosingScope) -> None:
    assert found.constants == {"WIDTH": 64, "RADIUS": 2}


ROWS = """
static float table[4][8], *rows[4];
void f(int n, float a[][8], float **b)
{
    for (int i = 0; i < n; i++) for (int j = 0; j < 8; j++) { a[i][j] = table[i][j]; b[i][j] = rows[i][j]; }
}
"""


def test_rows_of_arrays_are_told_from_pointers(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(ROWS)
    source = parsers.read(tmp_path)
    [unit] = source.units
    assert enclosing_scope(source, unit).arrays == {"a", "table"}


def test_what_loops_and_recursions_call_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "static void once(void) {}\nstatic void often(void) {}\nstatic void deep(void) {}\n"
        "static void sort(int n) { if (n) { sort(n / 2); deep(); } }\n"
        "int main(void) { once(); for (int i = 0; i < 9; i++) often(); sort(9); return 0; }\n"
    )
    source = parsers.read(tmp_path)
    found = enclosing_scope(source, source.units[0])
    assert found.repeated == {"often"} and found.recurring == {"deep"}


@pytest.mark.parametrize("parameter", ["float &x", "const float *&x", "std::vector<float> &x"])
def test_what_is_taken_by_reference_may_be_changed(parameter: str, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(f"#include <vector>\nvoid f(int n, {parameter}) {{ g(x); }}\n")
    source = parsers.read(tmp_path)
    around = enclosing_scope(source, source.units[0])
    assert around.refers("f", 1) and not around.refers("f", 0)


@pytest.mark.parametrize("parameter", ["float x", "const float &x", "const std::vector<float> &x"])
def test_copies_and_constants_may_not(parameter: str, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(f"#include <vector>\nvoid f(int n, {parameter}) {{ g(x); }}\n")
    source = parsers.read(tmp_path)
    assert not enclosing_scope(source, source.units[0]).refers("f", 1)


def test_numbers_at_file_scope_are_fixed_where_nothing_leads_to_them(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(
        "static int n, led, bound, given;\nstatic unsigned wraps;\n"
        "void change(int &x) { x = 0; }\nint *place() { return &led; }\n"
        "void f(double *a) { for (int i = 0; i < n + led + bound + given + wraps; i++) a[i] = n && led; }\n"
        "int main() { int &other = bound; if (other) change(given); return 0; }\n"
    )
    source = parsers.read(tmp_path)
    found = enclosing_scope(source, next(unit for unit in source.units if unit.name == "f"))
    assert found.settled == {"n"}
    assert found.fixed("n", ()) and not found.fixed("led", ())


CONSTANTS = """
static const double table[2][2] = {{1, 2}, {3, 4}};
const int width = 4;
static double open[2] = {1, 2};
static double *led = open;
static const double *to_open = open;
static const volatile int changing = 1;
static const double twofold[2] = {1, 2};
typedef struct { double x[2]; double *to; } pair;
static const pair both = {{1, 2}, open};
static double element(int i) { return table[i & 1][i % 2] + width; }
static double twice(int i) { return 2 * element(i); }
static double shadowed(int i, const double *table) { return table[i]; }
static double own(int i) { static double table[2]; return table[i]++; }
static double others(int i) { return open[i]; }
static double leading(int i) { return led[i]; }
static double constant_leading(int i) { return to_open[i]; }
static double changed(int i) { return i + changing; }
static double of_another(int i) { return twofold[i]; }
static double behind(int i) { return both.to[i]; }
static double address(int i) { const double *p = &table[0][i]; return *p; }
int main(void) { return 0; }
"""


def test_constants_may_be_read_where_bodies_are_looked_into(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(CONSTANTS)
    (tmp_path / "b.c").write_text("double twofold[2];\nint all(void) { return 0; }\n")
    source = parsers.read(tmp_path)
    known = enclosing_scope(source, source.units[0])
    assert set(known.with_readers().functions) - set(known.functions) == {"element", "twice"}
    assert not known.calls("element") and known.with_readers().calls("twice")


OVERLOADS = """
inline float size(float v) { return v < 0 ? -v : v; }
inline double size(double v) { return v < 0 ? -v : v; }
static int last;
inline float noted(float v) { return v; }
inline double noted(double v) { last++; return v; }
inline double whole(double v) { return size(v) + 1; }
void f(int n, double *x) { for (int i = 0; i < n; i++) x[i] = whole(x[i]); }
"""


def test_several_functions_of_a_name_compute_where_each_of_them_does(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(OVERLOADS)
    (tmp_path / "of_nobody.h").write_text("inline double size(double v) { last++; return v; }")
    source = parsers.read(tmp_path)
    around = enclosing_scope(source, source.units[-1])
    on_host = around.with_readers()
    assert [on_host.calls(name) for name in ("size", "whole", "noted")] == [True, True, False]
    assert not around.calls("size")  # a device gets copies, and there may be one of a name


def test_a_file_means_its_own_functions(tmp_path: Path) -> None:
    helper = "static double twice(double v) { %sreturn 2 * v; }\n"
    loop = "void %s(int n, double *x) { for (int i = 0; i < n; i++) x[i] = twice(x[i]); }\n"
    (tmp_path / "a.c").write_text(helper % "" + loop % "f")
    (tmp_path / "b.c").write_text("static int last;\n" + helper % "last++; " + loop % "g")
    (tmp_path / "c.c").write_text("double twice(double);\n" + loop % "h")
    source = parsers.read(tmp_path)
    calls = {
        unit.name: enclosing_scope(source, unit).calls("twice") for unit in source.units if unit.name in "fgh"
    }
    assert calls == {"f": True, "g": False, "h": False}


def test_a_type_may_be_called(found: EnclosingScope) -> None:
    node = next(find(parse("double f(int n) { return float(n) / (long)(n); }"), "call_expression"))
    assert called(node) == "float"
    assert found.calls("float")


SHRINKING = """void f(double *x)
{
    int limit = 64;
    for (int i = 0; i < LIMIT; i++) {
        x[i] = 1;
        limit--;
    }
}
"""


@pytest.mark.parametrize(("flag", "runs"), [("-DLIMIT=64", True), ("-DLIMIT=limit", False)])
def test_what_a_build_defines_is_a_macro(flag: str, runs: bool, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SHRINKING)
    source = parsers.read(tmp_path, flags=(flag,))
    [part] = work(source, source.units[-1], (), idioms=ALL_IDIOMS).choice.parts
    assert isinstance(part, Band) is runs
    assert ("LIMIT" in enclosing_scope(source, source.units[-1]).constants) is runs


def programs(root: Path, **texts: str) -> dict[str, EnclosingScope]:
    """Return what is known of each function of some files, by its name; those with a main are programs."""
    for name, text in texts.items():
        (root / f"{name.replace('_h', '.h') if name.endswith('_h') else f'{name}.c'}").write_text(text)
    source = parsers.read(root)
    return {unit.name: enclosing_scope(source, unit) for unit in source.units if unit.name != "main"}


MAIN = "int main(void) { return 0; }\n"
FILL = "void {}(int *x) {{ for (int i = 0; i < N; i++) x[i] = STEP; }}\n"


def test_macros_of_other_programs_are_others(tmp_path: Path) -> None:
    found = programs(
        tmp_path,
        first=f"#define N 8\n#define STEP 2\n{FILL.format('f')}{MAIN}",
        second=f"int c;\n#define N c\n#define STEP c++\n{FILL.format('g')}{MAIN}",
    )
    assert {"N", "STEP"} <= found["f"].values and found["f"].constants == {"N": 8, "STEP": 2}
    assert "STEP" not in found["g"].values and "STEP" in found["g"].defined and not found["g"].constants


@pytest.mark.parametrize(
    "texts",
    [
        {"first": '#include "own.h"\n', "own_h": "#define STEP c++\n"},
        {"first": '#define WHERE "own.h"\n#include WHERE\n', "own_h": "#define STEP c++\n"},
        {
            "first": "int step(void);\n",
            "other": "int c;\n#define STEP c++\nint step(void) { return STEP; }\n",
        },
    ],
    ids=["a header", "a header that a macro names", "a file that it is linked with"],
)
def test_macros_of_all_files_of_a_program_count(texts: dict[str, str], tmp_path: Path) -> None:
    first = f"{texts['first']}void f(int *x) {{ for (int i = 0; i < 8; i++) x[i] = STEP; }}\n{MAIN}"
    found = programs(tmp_path, **{**texts, "first": first, "second": MAIN})
    assert "STEP" in found["f"].defined and "STEP" not in found["f"].values


def test_functions_of_other_programs_are_not_looked_into(tmp_path: Path) -> None:
    found = programs(
        tmp_path,
        first=f"int twice(int);\nvoid f(int *x) {{ for (int i = 0; i < 8; i++) x[i] = twice(i); }}\n{MAIN}",
        second=f"int twice(int x) {{ return 2 * x; }}\n{MAIN}",
    )
    assert not found["f"].calls("twice") and "twice" not in found["f"].bodies
