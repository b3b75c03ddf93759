"""Random C++ classes whose methods set and read the same few members by all the names that these have."""

from __future__ import annotations

from random import Random

_HEAD = """#include <array>
#include <cstdio>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>
#define TWICE(x) ((x) + (x))
#define SETS_N n += 2
typedef short real;
static int total = 3, k_ = 7;
static int tune(int v) { return v + 1; }
static int tune(short v) { return v + 2; }
struct In {
    int m = 4, n = 5;
    std::array<int, 16> y{};
};
namespace deep {
static int total = 11;
static int tune(int v) { return 3 * v; }
struct Part : In {
    int n = 6, x[16] = {1, 2, 3};
    int bump() { return ++n; }
    int &last() { return m; }
    void operator+=(int v) { n += v; }
    int operator()(int v) const { return v + n; }
};
"""
_CLASS = """
class C{number} {{
public:
    typedef int real;
    enum {{ K = 3 }};
    static int count;
    int n = 5, m = 2, s_ = 1, t_ = 2;
    std::vector<int> v = std::vector<int>(16, 1);
    std::array<int, 16> w{{}};
    In in, *link = &in;
    Part part, &other = part;
    int &r = {reference};
    static int tune(int v) {{ return v - {number}; }}
    void more() {{ s_ += n; }}
    int f(int a, std::vector<int> &b, C{number} &o, const Part &c);
    int g(int a, std::vector<int> &b, C{number} *p, Part &c)
    {{
        {first}
    }}
    void show(const char *name) const
    {{
        std::printf("%s %d %d %d %d %d %d %d|", name, n, m, s_, t_, in.m, in.n, part.n);
        for (int i = 0; i < 16; i++)
            std::printf("%d ", v[i] + 3 * w[i] + 5 * in.y[i] + 7 * part.x[i]);
        std::printf("%d %d %d\\n", part.m, part.In::n, count + total);
    }}
}};
int C{number}::count = 1;
}} // namespace deep
int deep::C{number}::f(int a, std::vector<int> &b, C{number} &o, const Part &c)
{{
    auto *p = &o;
    {second}
}}
namespace deep {{
"""
_BODY = """int i = 1, j = 2, k = 3, s = 4, t = 5;
    int left = 2000, spare = 9;
    int &also = {alias};
    auto put = [&](int by) {{ {captured} += by; }};
    std::function<int()> get = [{capture}] {{ return {captured}; }};
    auto [one, two] = std::make_pair(s, t);
    {body}
    std::printf("%d %d %d %d %d %d %d\\n", i, j, k, s, t, one, two + also);
    return s;"""
_MAIN = """
}} // namespace deep
int main()
{{
    {calls}
    std::printf("%d %d %d\\n", total, deep::total, k_);
    return 0;
}}
"""
_COUNTERS = ("i", "j", "k")
_LOCALS = ("s", "t", "a", "one", *_COUNTERS)
_MEMBERS = (
    *("n", "m", "s_", "t_", "this->n", "this->s_", "in.m", "in.n", "link->m", "link->n", "part.n", "part.m"),
    *("part.In::n", "other.n", "other.m", "r", "count", "total", "p->n", "p->s_", "p->in.m", "p->link->n"),
    *("p->part.n", "also", "C::count"),
)
_ARRAYS = ("v", "w", "b", "in.y", "part.x", "link->y", "p->v", "p->part.x", "other.x", "this->w", "p->in.y")
_READ = ("c.n", "c.m", "c.x[i & 15]", "K", "get()", "tune(s)", "tune(short(t))", "::tune(n)", "c(3)", "k_")
_STATEMENTS = (
    *("more();", "put(2);", "part.bump();", "p->part += 3;", "std::swap(s_, t_);", "std::swap(s, t);"),
    *("SETS_N;", "p->more();", "part.last() += 1;", "*link = in;", "in = p->in;", "(s > 3 ? s : t) += 1;"),
    *("int &q = s_; q += 2;", "int &q = s; q += 2;", "int *q = &n; ++*q;", "real q = 70000; s += q;"),
    *(
        "(t_) += 3;",
        "for (int &q : w) q += s_;",
        "for (int q : v) t += q;",
        "std::tie(s, n) = std::make_tuple(t, 3);",
    ),
    *("p = this;", "++(++n);", "auto &q = p->in; q.n += 2;", "const int &q = n; n += 2; s += q;"),
    *("Part q = part; q += 3; s += q.n;", "link = &p->in;", "s_++, t_--;"),
)
_DEEPEST = 4


def program(seed: int, count: int) -> str:
    """Return a program of that many classes, which prints all that their methods leave behind."""
    random = Random(seed)
    classes = "".join(_class(random, number) for number in range(count))
    return _HEAD + classes + _MAIN.format(calls="\n    ".join(map(_use, range(count))))


def _class(random: Random, number: int) -> str:
    writer = _Writer(random, number)
    return _CLASS.format(
        number=number,
        reference=random.choice(("n", "s_", "in.m", "part.n")),
        first=writer.body(),
        second=writer.body(),
    )


def _use(number: int) -> str:
    kind = f"deep::C{number}"
    return (
        f"{{ {kind} x, y; std::vector<int> b(16, 2); x.g(3, b, &y, x.part); y.f(2, x.v, y, y.part); "
        f'x.f(1, b, y, y.part); x.show("x"); y.show("y"); }}'
    )


class _Writer:
    """Writes statements; a counter runs in one loop at a time, and all loops together have few iterations."""

    def __init__(self, random: Random, number: int) -> None:
        self._random = random
        self._number = number
        self._running: list[str] = []

    def body(self) -> str:
        captured = self._random.choice(("s", "t", "n", "spare", "spare", "spare"))
        return _BODY.format(
            alias=self._random.choice(("s", "t", "n", "in.n", "k_", "k_", "k_")),
            captured=captured,
            capture=self._random.choice(("&", "=", "&")),
            body="\n    ".join(self._statements(0, 4, 8)),
        ).replace("C::", f"C{self._number}::")

    def _statements(self, depth: int, fewest: int, most: int) -> list[str]:
        return [self._statement(depth) for _ in range(self._random.randint(fewest, most))]

    def _block(self, depth: int) -> str:
        return "{ " + " ".join(self._statements(depth, 1, 3)) + " }"

    def _statement(self, depth: int) -> str:
        draw = self._random.random()
        if draw < 0.5 or depth >= _DEEPEST:
            operator = self._random.choice(("=", "=", "+=", "^="))
            return f"{self._target()} {operator} {self._value()};"
        if draw < 0.6:
            return f"if ({self._value()} > {self._random.randint(-3, 3)}) {self._block(depth + 1)}"
        if draw < 0.93:
            return self._loop(depth)
        if draw < 0.95 and self._running:
            return f"if ({self._value()} > 3) {self._random.choice(('continue', 'break'))};"
        return f"{{ {self._random.choice(_STATEMENTS)} }}"

    def _loop(self, depth: int) -> str:
        free = [name for name in _COUNTERS if name not in self._running]
        if not free:
            return f"{self._target()} = {self._value()};"
        counter = self._random.choice(free)
        self._running.append(counter)
        body = self._block(depth + 1)
        self._running.pop()
        limit = self._random.choice(("3", "4", "n", "p->n"))
        return f"for ({counter} = 0; {counter} < {limit} && left-- > 0; {counter}++) {body}"

    def _value(self, depth: int = 0) -> str:
        draw = self._random.random()
        if depth > 1 or draw < 0.25:
            return self._random.choice(_LOCALS)
        if draw < 0.5:
            return self._element()
        if draw < 0.65:
            return self._random.choice(_MEMBERS)
        if draw < 0.75:
            return self._random.choice(_READ)
        if draw < 0.8:
            return f"TWICE({self._value(depth + 1)})"
        return f"({self._value(depth + 1)} {self._random.choice('+-*^')} {self._value(depth + 1)})"

    def _target(self) -> str:
        draw = self._random.random()
        if draw < 0.5:
            return self._element()
        return self._random.choice(_LOCALS if draw < 0.75 else _MEMBERS)

    def _element(self) -> str:
        array, counter = self._random.choice(_ARRAYS), self._random.choice(_COUNTERS)
        return f"{array}[({counter} + {self._random.randint(0, 3)}) & 15]"
