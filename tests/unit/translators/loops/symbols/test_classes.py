"""Code of C++ that runs in loops without a call in the text: operators, declarations and conversions."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Source
from transpile.translators.loops.analysis.idioms import ALL_IDIOMS
from transpile.translators.loops.analysis.plan import Band, SequentialNest
from transpile.translators.loops.planning.choice import chosen
from transpile.translators.loops.planning.work import work
from transpile.translators.loops.symbols.enclosing_scope import enclosing_scope

TEXT = """
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <valarray>
#include <vector>
static int total;
int next();
struct Tracker { int v; Tracker(int a) : v(a) { total++; } operator int() const { return v; } };
struct Meter { int v; operator int() const { return v + total++; } };
struct Made { int v; Made(int a) : v(a) { total++; } };
struct Guard { int v; ~Guard() { total++; } };
struct Copied { int v; Copied(int a) : v(a) {} Copied(const Copied &o) : v(o.v) { total++; } };
struct Given { int v; Given &operator=(int a) { v = a; total++; return *this; } };
struct Logged { int v; Logged &operator+=(int a) { v += a; total++; return *this; } };
struct Stepped { int v; Stepped &operator++() { v++; total++; return *this; } };
struct Table { int *data; int &operator[](int i) { return data[i + total++]; } };
struct Grid { int *data; int &operator()(int i, int j) { return data[i + total++]; } };
struct Walker { int *at; int &operator*() { total++; return *at; } int *operator->() { return at; } };
struct Handle { Walker *w; Walker *operator->() { total++; return w; } };
struct Bound { int v; bool operator<(int a) const { total++; return a < v; } };
inline bool operator<(int a, const Bound &b) { total++; return a < b.v; }
struct Sent { int v; };
inline int operator+(Sent a, Sent b) { return a.v + b.v + total++; }
inline int operator-(const Sent &a) { return total -= a.v; }
enum class Color { red, green };
inline int operator*(Color c, int v) { return v * total++; }
template <class T> struct Wrapped { T v; };
template <class T> int operator+(Wrapped<T> a, int b) { return b + total++; }
template <class T> struct Special { int v; };
template <> struct Special<float> { int v; operator int() const { return total++; } };
struct Counted { static int all; int v; };
int Counted::all;
struct Started { int v = next(); };
struct Alias { int &r; };
struct Holder { Meter inner; };
struct Derived : Meter { int w; };
struct Late { volatile int v; };
struct Own { int data[4]; int *begin() { total++; return data; } int *end() { return data + 4; } };
struct Virtual { int v; virtual int get() const { return v; } };
struct Friendly { int v; friend int operator%(Friendly a, int b) { return b + total++; } };
struct Named { int v; };
static int sqrt(Named a) { return a.v + total++; }
namespace other { struct Item { int v; }; int max(Item a, Item b) { return total++; } }
using namespace other;
long long operator""_km(unsigned long long v) { return v + total++; }
inline int defaulted(int v = next()) { return v; }
inline int redeclared(int v = next());
inline int redeclared(int v) { return 2 * v; }
static Tracker make(int v) { return Tracker(v); }
static int takes(const Tracker &t) { return 3; }
static int hides(int v) { Tracker t(v); return v; }
static int passes(int v) { return hides(v); }
template <class T> T twice(T v) { return v * 2; }
using Quiet = Tracker;
template <class T> struct Waiting { int v; Waiting(const T &a) : v(0) {} };
using Pending = Waiting<Tracker>;
template <class T> struct Inheriting : T { int w; };
struct Half { int v; Half(int a = 2, int b = 3) : v(a) {} };
struct Third { int v; Third(int a = next()) : v(a) {} };
template <class T> using Made = std::conditional_t<true, Guard, T>;
static Meter gauge;
#define GAUGE gauge
#define ADD(a, b) ((a) + (b))
#define NEW(v) Tracker(v)
struct Point { double x, y; };
struct Vector { double x, y; Vector() : x(0), y(0) {} Vector(double a, double b) : x(a), y(b) {} };
struct Cell { Point at; int kinds[3]; bool on = false; Cell() = default; };
struct Printed { int v; };
std::ostream &operator<<(std::ostream &, const Printed &);
struct Owner { int *data; int size; ~Owner() { delete[] data; } int at(int i) const { return data[i]; } };
enum Plain { few, many };
static int square(int v) { return v * v; }
static double area(Point a) { return a.x * a.y; }
"""
HEAD = """(int *x, int *y, int n, int s, double *d, Tracker *ts, Meter *ms, Guard *gs, Copied *cs, Made *md,
Given *as, Logged *ls, std::vector<Meter> &mv, std::vector<int> &v, Table &table, Table *tp, Grid
&grid, Walker *ws, Handle *hs, Bound b, Sent *p, Sent *q, Color *colors, Wrapped<int> *wr,
Special<int> *plain, Special<float> *odd, Counted *co, Holder *hd, Derived *de, Late *la, Own
*owns, Friendly *fr, Named *na, Item *it, Stepped *st, std::vector<Guard> &gv, Point *pt, Vector
*ve, Cell *ce, Printed *pr, Owner *ow, Plain *pl, Inheriting<Meter> *inherits,
std::complex<double> *z, std::vector<Point> &points, std::array<double, 8> &eight,
std::vector<bool> &flags, std::valarray<double> &va, std::vector<std::complex<double>> &zv,
std::function<int(int)> *fn, std::unique_ptr<int> *up, std::shared_ptr<Point> &sp, std::map<int,
int> &map)"""
LOOP = "for (int i = 0; i < n; i++) "

REFUSED = [
    # made, copied, destroyed
    LOOP + "{ Tracker t(x[i]); y[i] = t; }",
    LOOP + "{ Tracker t = x[i]; y[i] = 1; }",
    LOOP + "{ Tracker t{x[i]}; y[i] = t.v; }",
    LOOP + "y[i] = Tracker(x[i]).v;",
    LOOP + "y[i] = Quiet(x[i]).v;",
    LOOP + "y[i] = Made<int>{x[i]}.v;",
    LOOP + "y[i] = NEW(x[i]).v;",
    LOOP + "ts[i] = x[i];",
    LOOP + "md[i] = x[i];",
    LOOP + "y[i] = (x[i] ? md[i] : 3).v;",
    LOOP + "{ Pending w(3); y[i] = w.v; }",
    LOOP + "y[i] = inherits[i];",
    LOOP + "{ Guard g{x[i]}; y[i] = g.v; }",
    LOOP + "{ const auto g = gs[i]; y[i] = g.v; }",
    LOOP + "gs[i] = Guard{x[i]};",
    LOOP + "{ Copied c = cs[i]; y[i] = c.v; }",
    LOOP + "{ auto c = cs[i]; y[i] = c.v; }",
    LOOP + "{ Copied c[2] = {x[i], x[i]}; y[i] = c[1].v; }",
    LOOP + "{ Started t; y[i] = t.v; }",
    LOOP + "{ Third t; y[i] = t.v; }",
    LOOP + "y[i] = Started{}.v;",
    LOOP + "y[i] = ((Tracker)x[i]).v;",
    LOOP + "y[i] = static_cast<Tracker>(x[i]).v;",
    LOOP + "{ std::pair<Tracker, int> t{x[i], 1}; y[i] = t.second; }",
    LOOP + "{ std::vector<Guard> g; y[i] = x[i]; }",
    "int k = 0; for (auto g : gv) k += g.v; y[0] = k;",
    # converted
    LOOP + "y[i] = ms[i];",
    LOOP + "y[i] = mv[i];",
    LOOP + "if (ms[i]) y[i] = 1;",
    LOOP + "y[i] = x[i] + ms[0];",
    LOOP + "x[ms[i]] = 1;",
    LOOP + "y[i] = gauge;",
    LOOP + "y[i] = GAUGE;",
    LOOP + "y[i] = ADD(x[i], GAUGE);",
    LOOP + "y[i] = hd[i].inner;",
    LOOP + "y[i] = de[i];",
    LOOP + "y[i] = odd[i];",
    LOOP + "{ auto &m = ms[i]; y[i] = m; }",
    LOOP + "{ const Meter *m = ms + i; y[i] = *m; }",
    "for (int i = 0; i < ms[0]; i++) y[i] = x[i];",
    "int k = 0; for (auto m : mv) k += m; y[0] = k;",
    "for (auto &m : mv) m.v = m + 1;",
    "y[0] = std::accumulate(mv.begin(), mv.end(), 0);",
    "y[0] = std::accumulate(v.begin(), v.end(), 0, [](int k, Tracker t) { return k + t.v; });",
    # operators
    LOOP + "as[i] = x[i];",
    LOOP + "ls[i] += x[i];",
    LOOP + "++st[i];",
    LOOP + "y[i] = table[i];",
    LOOP + "table[i] = x[i];",
    LOOP + "y[i] = (*tp)[i];",
    LOOP + "y[i] = grid(i, 0);",
    LOOP + "y[i] = *ws[i];",
    LOOP + "y[i] = hs[i]->at[0];",
    "for (int i = 0; i < b; i++) y[i] = x[i];",
    LOOP + "if (i < b) y[i] = x[i];",
    LOOP + "y[i] = p[i] + q[i];",
    LOOP + "y[i] = -p[i];",
    LOOP + "y[i] = ADD(p[i], q[i]);",
    LOOP + "y[i] = colors[i] * 2;",
    LOOP + "y[i] = Color::red * x[i];",
    LOOP + "y[i] = wr[i] + 1;",
    LOOP + "y[i] = fr[i] % 2;",
    LOOP + "y[i] = 5_km;",
    LOOP + "y[i] = fn[0](x[i]);",
    LOOP + "y[i] = *up[i];",
    LOOP + "y[i] = sp->x;",
    LOOP + "y[i] = map[i];",
    LOOP + "d[i] = va[i];",
    LOOP + "flags[i] = x[i] > 0;",
    LOOP + "if (x[i]) flags[i / 2] = true;",
    "auto add = [&](int k) { total += k; return k; }; " + LOOP + "y[i] = add(x[i]);",
    # functions
    LOOP + "y[i] = sqrt(na[i]);",
    LOOP + "y[i] = max(it[i], it[0]);",
    LOOP + "y[i] = defaulted();",
    LOOP + "y[i] = redeclared();",
    LOOP + "y[i] = make(x[i]).v;",
    LOOP + "y[i] = takes(x[i]);",
    LOOP + "y[i] = hides(x[i]);",
    LOOP + "y[i] = passes(x[i]);",
    LOOP + "y[i] = twice(ms[i]);",
    LOOP + "y[i] = ow[0].at(i);",
    # members
    LOOP + "co[i].all += x[i];",
    LOOP + "Counted::all = x[i];",
    LOOP + "{ Counted c; c.all += x[i]; y[i] = c.all; }",
    LOOP + "{ Alias a{s}; a.r += x[i]; y[i] = a.r; }",
    LOOP + "{ Late l; l.v = x[i]; y[i] = l.v; }",
    LOOP + "y[i] = la[0].v;",
    # other names for one object
    "auto &[one, two] = pt[0]; " + LOOP + "pt[i].x = one;",
    LOOP + "{ auto &[one, two] = pt[0]; one += x[i]; }",
    LOOP + "{ auto [one, two] = pt[i]; y[(int)one] = x[i]; }",
    "auto &&k = s; " + LOOP + "k += x[i];",
    # ranges
    LOOP + "{ int k = 0; for (int e : owns[i]) k += e; y[i] = k; }",
    "Own o; " + LOOP + "{ for (int e : o) y[i] = x[i]; }",
    LOOP + "{ int k = 0; for (auto &[e, f] : map) k += f; y[i] = k; }",
]
FREE = [
    LOOP + "y[i] = x[i] + s;",
    LOOP + "z[i] = z[i] * z[i] + std::conj(z[i]) * 2.0;",
    LOOP + "zv[i] = zv[i] / 2.0;",
    LOOP + "pt[i].x = pt[i].y + 1;",
    LOOP + "points[i].x += points[i].y;",
    LOOP + "{ Point a = pt[i]; d[i] = a.x + a.y; }",
    LOOP + "{ Point a; a.x = d[i]; d[i] = a.x; }",
    LOOP + "{ auto a = pt[i]; d[i] = a.x; }",
    LOOP + "d[i] = area(pt[i]);",
    LOOP + "hd[i].inner.v = mv[i].v;",
    "for (auto &g : gv) g.v = 1;",
    LOOP + "ve[i].x = ve[i].y;",
    LOOP + "{ Vector a(d[i], 1); d[i] = a.x; }",
    LOOP + "{ Half h(x[i]); y[i] = h.v; }",
    LOOP + "z[i] = std::complex<double>(d[i]);",
    LOOP + "md[i].v = x[i] ? 1 : 2;",
    LOOP + "{ Cell c = ce[i]; d[i] = c.at.x; }",
    LOOP + "ms[i].v = x[i];",
    LOOP + "pr[i].v = x[i];",
    LOOP + "gs[i].v = x[i];",
    LOOP + "plain[i].v = x[i];",
    LOOP + "y[i] = pl[i] == few;",
    LOOP + "y[i] = square(x[i]);",
    LOOP + "y[i] = twice(x[i]);",
    LOOP + "y[i] = ADD(x[i], s);",
    LOOP + "d[i] = std::max(d[i], std::sqrt(d[i]));",
    "for (int i = 0; i < 8; i++) eight[i] = d[i];",
    "for (auto &e : v) e = 2 * e;",
    "y[0] = std::accumulate(v.begin(), v.end(), 0);",
    "gauge.v = 3; int k = ms[0]; " + LOOP + "y[i] = x[i] + k;",
]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("classes")
    bodies = [*REFUSED, *FREE]
    functions = "\n".join(f"void f{at}{HEAD} {{ {body} }}" for at, body in enumerate(bodies))
    (root / "a.cpp").write_text(f"{TEXT}\n{functions}\n")
    return parsers.read(root, flags=("-std=c++17",))


def stays(body: str, source: Source) -> bool:
    """Tell whether no loop of a function with such a body runs in parallel."""
    return alone(source, f"f{[*REFUSED, *FREE].index(body)}")


def alone(source: Source, name: str) -> bool:
    [unit] = [item for item in source.units if item.name == name]
    found = chosen(unit.text.decode(), None, enclosing_scope(source, unit), idioms=ALL_IDIOMS, asking=True)
    return all(isinstance(part, SequentialNest) for part in found.parts)


@pytest.mark.parametrize("body", REFUSED)
def test_what_may_run_anything_stays(body: str, source: Source) -> None:
    assert stays(body, source)


@pytest.mark.parametrize("body", FREE)
def test_what_runs_nothing_of_its_own_runs_at_once(body: str, source: Source) -> None:
    assert not stays(body, source)


TEMPLATES = """
static int total;
struct Meter { int v; operator int() const { return v + total++; } };
template <class T> void numbers(T *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
template <class T> void both(T *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
template <class T> void unused(T *x, T *y, int n) { for (int i = 0; i < n; i++) y[i] = x[i] + 1; }
template <class T> int next(T v) { return v + 1; }
void calls(Meter *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = next(x[i]); }
void counts(int *x, int *y, int n) { for (int i = 0; i < n; i++) y[i] = next(x[i]); }
void between(Meter *m, int *x, int *y, int n)
{
    for (int i = 0; i < n; i++) x[i] = 1;
    int k = m[0];
    for (int i = 0; i < n; i++) y[i] = x[i] + k;
}
void use(Meter *m, int *x, int *y) { numbers(x, y, 3); both(x, y, 3); both(m, y, 3); }
"""


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("templates")
    (root / "a.cpp").write_text(TEMPLATES)
    return parsers.read(root)


@pytest.mark.parametrize("name", ["both", "calls", "counts"])
def test_templates_stay_where_one_instance_may_run_anything(name: str, templates: Source) -> None:
    assert alone(templates, name)


@pytest.mark.parametrize("name", ["numbers", "unused"])
def test_templates_run_at_once_where_all_instances_are_of_numbers(name: str, templates: Source) -> None:
    assert not alone(templates, name)


@pytest.mark.parametrize(("name", "seen"), [("between", False), ("numbers", True)])
def test_devices_hold_no_arrays_where_the_host_runs_anything(
    name: str, seen: bool, templates: Source
) -> None:
    [unit] = [item for item in templates.units if item.name == name]
    own = work(templates, unit, (), idioms=frozenset())
    assert any(isinstance(part, Band) for part in own.choice.parts)
    assert (not own.unseen) == seen


@pytest.mark.parametrize(
    ("declared", "hidden"),
    [
        ("struct P { int v; }; template <class T> T operator+(T a, T b) { return a; }", True),
        ("struct P { int v; }; namespace far { int operator+(const P &a, int b); }", True),
        (
            "template <class T> struct Q {}; using P = Q<int>; template <class T> int operator-(Q<T> a);",
            True,
        ),
        ("struct P { int v; P &operator=(const P &) = default; };", False),
        ("struct P { int v; int get() const; static const int width = 3; };", False),
        ("struct O { int v; }; struct P { int v; }; int operator+(O a, O b);", False),
    ],
)
def test_operators_count_wherever_they_stand(declared: str, hidden: bool, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(
        f"{declared}\nvoid f(P *p, P *q, int n) {{ for (int i = 0; i < n; i++) p[i] = q[i]; }}"
    )
    assert alone(parsers.read(tmp_path), "f") == hidden
