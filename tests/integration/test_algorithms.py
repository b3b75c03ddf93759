"""Algorithms, iterators and searches of C++ in normal form: it and the source's own form, built and run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from transpile.code.syntax import Function
from transpile.translators.loops.forms.algorithms import as_loop
from transpile.translators.loops.forms.normal import normal
from transpile.translators.loops.symbols.enclosing_scope import EnclosingScope

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
]

BODIES = (
    "return std::find(x.begin(), x.end(), n) != x.end();",
    "return std::find(std::begin(x), std::end(x), 7) == x.cend()"
    " ^ std::find(y.begin(), y.end(), 2) != y.end();",
    "return std::find_if(x.begin(), x.end(), [n](int e) { return e > n; }) - x.begin();",
    "long at = std::distance(x.begin(), std::find_if(x.begin(), x.end(), odd)); return 2 * at;",
    "return std::accumulate(x.begin(), x.end(), 0) - std::accumulate(y.begin(), y.end(), 1.5);",
    "return std::accumulate(y.begin(), y.end(), 1.0, std::multiplies<double>());",
    "double s = 2; s = std::accumulate(y.begin(), y.end(), s, [](double a, double e) { return a + e * e; });"
    " return s;",
    "return std::count(x.begin(), x.end(), n) * 100 + std::count_if(x.cbegin(), x.cend(), odd);",
    "if (std::any_of(x.begin(), x.end(), odd)) return 1; return 0;",
    "return std::all_of(x.begin(), x.end(), [=](const int &e) { return e > n || e == 1; });",
    "bool none = std::none_of(y.begin(), y.end(), [&](auto e) { return e == n; }); return none;",
    "std::fill(y.begin(), y.end(), n); return 0;",
    "std::transform(x.begin(), x.end(), y.begin(), y.begin(), [](int a, double b) { return a - b; });"
    " return 0;",
    "std::transform(x.begin(), x.end(), y.begin(), odd); return 0;",
    "std::for_each(y.begin(), y.end(), [&](double &e) { if (e > n) e = 0; n++; }); return n;",
    "std::for_each(y.begin(), y.end(), [&](double e) { y[0] = 9; e += 1; n += e; }); return n;",
    "for (size_t i = 1; i < y.size(); i++) { const auto &f = x[i - 1]; double &e = y[i]; e -= f; n += e; }"
    " return n;",
    "for (auto it = y.begin(); it != y.end(); ++it) { if (*it > n) *it = n; n += *it; } return n;",
    "int i; for (i = 0; i < x.size(); i++) { int v = x[i]; if (v > n) { n += v; break; } } return i * n;",
    "int m = x.size(); for (int i = m - 1; i >= 0; i--) if (x[i] == n) return i; return -1;",
)
STAY = (
    "return n > 1 && std::count(x.begin(), x.end(), n);",
    "return n++ + std::count(x.begin(), x.end(), n);",
    "return n > 1 ? std::count(x.begin(), x.end(), n) : 0;",
    "std::vector<int> z; std::transform(x.begin(), x.end(), std::back_inserter(z), odd); return z.size();",
    "return std::accumulate(x.begin() + 1, x.end(), 0);",
    "return std::accumulate(y.begin(), y.end(), 0);",
    "return std::count(x.begin(), y.end(), 0);",
    "std::transform(x.begin(), x.end(), y.begin(), [](int a) -> double { return a; }); return 0;",
    "return std::count_if(y.begin(), y.end(), [](int e) { return e > 1; });",
    "int m = 0; std::for_each(x.begin(), x.end(), [m](int e) mutable { m += e; }); return m;",
    "std::for_each(x.begin(), x.end(), [&](int e) { if (e) return; n++; }); return n;",
    "for (int k = 0; std::count(x.begin(), x.end(), k); k++) n++; return n;",
)
HEAD = "double {name}(const std::vector<int> &x, std::vector<double> &y, int n)"
MAIN = """
int main()
{
    for (int length = 0; length < 6; length++)
        for (int turn = 0; turn < 40; turn++)
            for (int each = 0; each < COUNT; each++) {
                std::vector<int> x;
                std::vector<double> y, z;
                for (int i = 0; i < length; i++) x.push_back((turn * 7 + i * i * turn) % 4);
                for (int i = 0; i < length; i++) y.push_back((turn + 3 * i) % 5);
                z = y;
                const int n = turn % 3;
                if (source::all[each](x, y, n) != loop::all[each](x, z, n) || y != z) return each + 1;
            }
}
"""


AROUND = EnclosingScope(functions={"odd": ""})


def test_the_normal_form_does_what_the_source_does(tmp_path: Path) -> None:
    texts = [f"{HEAD.format(name=f'f{at}')} {{ {body} }}" for at, body in enumerate(BODIES)]
    loops = [normal(text, AROUND) for text in texts]
    assert not any(text == loop for text, loop in zip(texts, loops, strict=True))
    lines = ["#include <algorithm>", "#include <numeric>", "#include <vector>"]
    lines += ["static bool odd(int e) { return e % 2; }", f"enum {{ COUNT = {len(BODIES)} }};"]
    names = ", ".join(f"f{at}" for at in range(len(BODIES)))
    for form, functions in (("source", texts), ("loop", loops)):
        table = f"decltype(&f0) all[] = {{{names}}};"
        lines += [f"namespace {form} {{", *functions, table, "}"]
    (tmp_path / "both.cpp").write_text("\n".join(lines) + MAIN)
    subprocess.run(["g++", "-w", "-std=c++17", "both.cpp", "-o", "both"], cwd=tmp_path, check=True)
    subprocess.run([str(tmp_path / "both")], check=True)


@pytest.mark.parametrize("body", STAY)
def test_what_is_no_such_loop_stays(body: str) -> None:
    text = f"{HEAD.format(name='f')} {{ {body} }}"
    assert as_loop(Function(text), AROUND) is None
