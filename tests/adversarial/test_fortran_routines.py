"""Wrong translations of small Fortran routines, one mistake each, which trials have to refuse."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile.core import Falsified, Passed, Verdict
from transpile.fortran import library
from transpile.fortran.sources import sources
from transpile.fortran.translation import Translated, translated
from transpile.toolchains.workshop import Workshop

LIBRARY = Path(__file__).parents[1] / "cases" / "fortran_library"
MISTAKES: dict[str, tuple[tuple[str, str], ...]] = {
    "total": (
        ("i <= n; ++i) {\n        result = result + x(ix)", "i < n; ++i) {\n        result = result + x(ix)"),
        ("    float result = 0;", "    double result = 0;"),
        ("    if (incx < 0) {\n        ix = 1 - (n - 1) * incx;\n    }\n    for", "    for"),
        ("ix = ix + incx;\n    }\n    return", "ix = ix + (incx < 0 ? -incx : incx);\n    }\n    return"),
        (
            "    if (n <= 0) {\n        return result;\n    }\n    ix",
            "    if (n <= 0) {\n        return -0.0f;\n    }\n    ix",
        ),
    ),
    "added": (
        ("y(iy) = y(iy) + alpha * x(ix)", "y(iy) = y(iy) + static_cast<float>(alpha) * x(ix)"),
        ("        iy = 1 - (n - 1) * incy;", "        iy = 1 - (n - 1) * incx;"),
        ("y(iy) = y(iy) + alpha * x(ix)", "y(iy) = alpha * x(ix) + (y(iy) - 0.0 * y(iy))"),
        ("y(iy) = y(iy) + alpha * x(ix)", "y(iy) = __builtin_fma(alpha, x(ix), y(iy))"),
        ("n <= 0 || alpha == 0.0", "n <= 0"),
    ),
    "inner": (
        ("std::conj(x(i))", "x(i)"),
        ("fortran::multiply(std::conj(x(i)), y(i))", "fortran::multiply(x(i), std::conj(y(i)))"),
        ("std::conj(x(i)), y(i))", "std::conj(x(i)), std::complex<double>(std::complex<float>(y(i))))"),
        (
            "i <= n; ++i) {\n        result = result + fortran",
            "i <= n - n / 7; ++i) {\n        result = result + fortran",
        ),
        ("std::complex<double>(0.0, 0.0);\n    for", "std::complex<double>(0.0, 1e-300);\n    for"),
    ),
    "marked": (
        ("trips_1 > 0; --trips_1, i += step_1", "i <= last_1; i += step_1"),
        ("    last = i;", "    last = i - step;"),
        ("y(i) = y(i) + i;", "y(i) = y(i) + first;"),
        ('refuse("MARKED", 3)', 'refuse("MARKED", 2)'),
        ("first < 1 || stop1 < 1 || step == 0", "first < 1 || step == 0"),
    ),
    "multiplied": (
        (
            "a(a_data, {lda, 1});\n    const fortran::ContiguousView<const double, 1> x",
            "a(a_data, {m, 1});\n    const fortran::ContiguousView<const double, 1> x",
        ),
        ("            y(i) = 0.0;", "            y(i) = beta * y(i);"),
        ("    rows = turned ? n : m;", "    rows = turned ? m : n;"),
        ("alpha * a(i, j) * x(j)", "alpha * (a(i, j) * x(j))"),
        (
            'fortran::compare(trans, "T") == 0 || fortran::compare(trans, "t") == 0',
            'fortran::compare(trans, "T") == 0',
        ),
    ),
    "halved": (
        ('fortran::compare(uplo, "U") == 0', 'fortran::compare(uplo, "L") == 0'),
        ("            for (int i = 1; i <= j; ++i)", "            for (int i = 1; i < j; ++i)"),
        ("            for (int i = j; i <= n; ++i)", "            for (int i = j; i <= lda; ++i)"),
        ("b(b_data, {ldb, 1})", "b(b_data, {lda, 1})"),
        ("b(i, j) - a(i, j)", "b(i, j) - a(j, i)"),
    ),
    "refuse": (
        ("A, A, I3", "A, A, I4"),
        ("    fortran::stop();", "    fortran::stop(1);"),
        ("    fortran::stop();", ""),
        ('": argument"', '": Argument"'),
        ("<< number;", "<< (number > 9 ? 9 : number);"),
    ),
    "smoothing::smoothed": (
        ("4 * x(i, j)", "4.0f * x(j, i)"),
        ("for (int i = 2; i <= last_2; ++i)", "for (int i = 1; i <= last_2; ++i)"),
        ("y(i, j) = y(i, j) + weight", "y(i, j) = weight"),
        ("std::min(x.extent(1), y.extent(1)) - 1", "x.extent(1) - 1"),
        ("x(i - 1, j) + x(i + 1, j) + x(i, j - 1)", "x(i + 1, j) + x(i - 1, j) - -x(i, j - 1) + 1e-17"),
    ),
    "smoothing::sorted": (
        ("x(i) < x(i - 1)", "x(i) <= x(i - 1)"),
        ("strictly && x(i)", "!strictly && x(i)"),
        ("        for (int i = 2; i <= last_1", "        for (int i = 3; i <= last_1"),
        ("    result = true;", ""),
        (
            "last_1 = fortran::size(x);\n        for (int i = 2;",
            "last_1 = std::min<int>(fortran::size(x), 7);\n        for (int i = 2;",
        ),
    ),
    "counters::recorded": (
        ("        full = true;\n", ""),
        ('FORTRAN_SYMBOL("__counters_MOD_count") = 0', 'FORTRAN_SYMBOL("__counters_MOD_count") = 1'),
        ("    history(count) = x;", '    history(count) = x;\n    label = "new";'),
        ("count < 1 || count > most", "count < 1 || count >= most"),
        ("    count = count + 1;\n    if", "    int count = counters::count + 1;\n    if"),
    ),
    "counters::summed": (
        (
            "        const int last_1 = std::min(last, most);",
            "        const int last_1 = std::min(last, most - 1);",
        ),
        (
            "        for (int i = 1; i <= last_1; ++i) {\n            result = result + history",
            "        for (int i = 0; i <= last_1; ++i) {\n            result = result + history",
        ),
        (
            "        const int last_1 = std::min(last, most);",
            "        const int last_1 = std::min(last, most + 1);",
        ),
        ("result + history(i)", "history(i) + (result - 0.0 * history(i))"),
        ("result + history(i);", "result + history(i);\n            history(i) = 0.0 + history(i);"),
    ),
    "ticked": (
        ("    double dt = 0.25;\n    int steps = 0;", "    int steps = 0;\n    double dt = 0.25;"),
        ("    double dt = 0.25;", "    double dt = 0.5;"),
        ("clock__common.steps + n;", "clock__common.steps + (n > 60 ? 60 : n);"),
        (
            "    for (int i = 1; i <= 4; ++i) {\n        clock_",
            "    for (int i = 1; i < 4; ++i) {\n        clock_",
        ),
        ("n * clock__common.dt", "n * static_cast<float>(clock__common.dt)"),
    ),
    "evened": (
        ("lwork < std::max(1, 2 * n)", "lwork < std::max(1, 2 * n - 1)"),
        ("work(1) = n * nb;", "work(1) = n * 32;\n        work(1) = n <= 100 ? n * nb : n;"),
        ("last = std::min(first + nb - 1, n);", "last = std::min(first + std::min(nb, 31) - 1, n);"),
        ("std::max(work(j), std::abs(a(i, j)))", "std::max(work(j), a(i, j))"),
        ("s(j) = std::min(std::max(work(j), least), most);", "s(j) = std::max(work(j), least);"),
    ),
    "parts": (
        ("        result = 7;", "        result = 8;"),
        ("own.substring(2, 6)", "own.substring(2, 5)"),
        ("n >= 5000", "n > 5000"),
        ('fortran::compare(first, "Z") == 0', 'fortran::compare(first, "C") == 0'),
        ("        case 2: goto label_20;\n", ""),
    ),
    "picked": (
        ("x(count) = x(i);", "x(count) = x(i) + 0.0f;"),
        ("count < i || seen(1 + i % 3)", "count < i"),
        ("seen(1 + count % 3) = true;", "seen(1 + i % 3) = true;"),
        ("seen(i) = done(i);", "seen(i) = done(i) && i < 3;"),
        ("done(2) = !seen(2);", "done(2) = !done(2);"),
    ),
    "every": (
        ("if (!row(i)) {", "if (!row(1)) {"),
        (
            "every(const fortran::Logical<4> *row_data, int n) {",
            "every(const fortran::Logical<4> *row_data, int n) {\n    n = n - 1;",
        ),
        (
            "row(row_data, {n});",
            "row(row_data + (n > 1), {n});",
        ),
        (
            "        if (!row(i)) {\n            return result;",
            "        if (!row(i)) {\n            return n > 60;",
        ),
        ("    result = !result;", "    result = n > 0;"),
    ),
    "options::shifted": (
        ("if (factor.present()) {", "if (factor.present() && !shift.present()) {"),
        ("if (count.present()) {", "if (count.present() && done.present()) {"),
        ("*done = *done || n > 3;", "*done = n > 3;"),
        ("        x(1) = 0.0;", "        x(1) = shift.present() ? 0.0 : -0.0;"),
        ("                x(i) = -x(i);", "                x(i) = 0.0 - x(i);"),
    ),
    "options::weighted": (
        ("all_of_them = !mask.present();", "all_of_them = true;"),
        ("            if (w.present()) {", "            if (w.present() && !into.present()) {"),
        ("        into->calls = into->calls + 1;", "        into->calls = into->calls + w.present();"),
        ("total = total + w(i) * x(i);", "total = __builtin_fma(w(i), x(i), total);"),
        ("    if (into.present()) {", "    if (into.present() && !mask.present()) {"),
    ),
    "options::handed_on": (
        ("shifted(n, x.data(), factor, {}, {}, ", "shifted(n, x.data(), {}, {}, {}, "),
        ("fortran::temporary(n > 2), {}, long_", "fortran::temporary(n > 3), {}, long_"),
        ("fortran::substring(long__text, 1, 5)", "fortran::substring(long__text, 1, 2)"),
        ("x.data(), factor, {}, {}, fortran::temporary(n > 2)", "x.data(), factor, {}, {}, {}"),
        ("fortran::temporary(n > 2), {}, long_);", "fortran::temporary(n > 2));"),
    ),
    "reaching::vowels": (
        ("last_1 = fortran::length(text);", "last_1 = std::min(fortran::length(text), 40);"),
        ("last_1 = fortran::length(text);", "last_1 = fortran::length(text) - 1;"),
        ('substring(text, i, i), "e") == 0', 'substring(text, i, i), "E") == 0'),
        ('substring(text, i, i), "a") == 0 ||', 'substring(text, i, i), "a") == 0 &&'),
        ("last_1 = fortran::length(text);", "last_1 = std::min(fortran::length(text), 200);"),
    ),
    "reaching::faded": (
        ("result * 0.5 + x(i);", "result * 0.5 + x.data()[(i - 1) * std::abs(x.strides()[0])];"),
        ("result * 0.5 + x(i);", "result * 0.5 + x.data()[i - 1];"),
        ("result = result * 0.5 + x(i);", "result = result * 0.5 + x(std::min(i, 900));"),
        ("result * 0.5 + x(i);", "result * 0.5 + static_cast<float>(x(i));"),
        ("result * 0.5 + x(i);", "result * 0.5 + x(fortran::size(x) + 1 - i);"),
    ),
    "reaching::larger": (
        ("    s = a * 0.5;", "    s = std::copysign(std::fmax(std::abs(a), 0.0), a) * 0.5;"),
        ("    r = fortran::max(a, b);", "    r = fortran::max(a, std::abs(b));"),
        ("    s = a * 0.5;", "    s = b * 0.5;"),
        ("    s = a * 0.5;", "    s = a * 0.5 + 0.0;"),
        ("    r = fortran::max(a, b);", "    r = fortran::max(a, b * 1.0000000000000002);"),
    ),
    "raised": (
        (
            "i <= n; ++i) {\n        x(i) = x(i) + 0.25;",
            "i <= std::min(n, 900); ++i) {\n        x(i) = x(i) + 0.25;",
        ),
        ("i <= n; ++i) {\n        x(i) = x(i) + 0.25;", "i < n; ++i) {\n        x(i) = x(i) + 0.25;"),
        ("x(i) = x(i) + 0.25;", "x(i) = x(i) + 0.25 - 1e-17;"),
        ("x(i) = x(i) + 0.25;", "x(i) = x(std::min(i, 60)) + 0.25;"),
        ("x(i) = x(i) + 0.25;", "x(n + 1 - i) = x(i) + 0.25;"),
    ),
    "tripled": (
        ("result = 3 * n + k;", "result = 3 * static_cast<int>(n) + k;"),
        ("result = 3 * n + k;", "result = static_cast<std::int64_t>(3.0f * n) + k;"),
        ("result = 3 * n + k;", "result = 3 * n + static_cast<std::int16_t>(k);"),
        ("n % std::int64_t{5} == 0", "static_cast<int>(n) % 5 == 0"),
        ("result = 3 * n + k;", "result = 3 * std::min<std::int64_t>(n, 1 << 20) + k;"),
    ),
    "rooting::bisected": (
        ("at_low * there < 0", "at_low * there <= 0"),
        ("    at_low = f(low);", "    at_low = f(high);"),
        ("    c = low;\n    for", "    c = low;\n    f(high);\n    for"),
        ("there = f(c);", "there = f(static_cast<float>(c));"),
        ("c = (low + high) / 2;", "c = low + (high - low) / 2;"),
    ),
    "rooting::advanced": (
        ("rate(i * h, y, dy);", "rate((i - 1) * h, y, dy);"),
        ("y = y + h * dy;", "y = __builtin_fma(h, dy, y);"),
        ("rate(i * h, y, dy);", "if (i < n) {\n            rate(i * h, y, dy);\n        }"),
        ("rate(i * h, y, dy);", "rate(i * h, y, dy);\n        rate(i * h, y, dy);"),
        ("rate(i * h, y, dy);", "rate(y, i * h, dy);"),
    ),
    "rooting::root_of": (
        ("bisected(f, a, b, 20);", "bisected(f, a, b, 19);"),
        ("bisected(f, a, b, 20);", "bisected(f, b, a, 20);"),
        ("result = bisected(f, a, b, 20);", "f(a);\n    result = bisected(f, a, b, 20);"),
        ("result = bisected(f, a, b, 20);", "result = static_cast<float>(bisected(f, a, b, 20));"),
        ("result = bisected(f, a, b, 20);", "result = a;"),
    ),
    "counted": (
        ("wanted(wr(i), wi(i))", "wanted(wi(i), wr(i))"),
        (
            "i <= n; ++i) {\n        if (wanted(",
            "i < n; ++i) {\n        if (wanted(",
        ),
        ("if (wanted(", "if (!wanted("),
        ("            result = result + 1;\n        }", "            if (++result > 20) break;\n        }"),
        ("if (wanted(", "if (wr(i) == wr(i) && wanted("),
    ),
    "shapes::meshed": (
        ("x2(i, j) = array_1(i, j);", "x2(i, j) = array_1(std::min(i, 1), j) + 0.0;"),
        ("fortran::spread(x, 1, fortran::size(y));", "fortran::spread(y, 2, fortran::size(x));"),
        ("y2(i, j) = array_2(i, j);", "y2(i, j) = j > 40 ? 0.0 : array_2(i, j);"),
        ("x2(i, j) = array_1(i, j);", "x2(i, j) = x(i);"),
        ("y2(i, j) = array_2(i, j);", "y2.data()[i - 1 + (j - 1) * y2.extent(1)] = array_2(i, j);"),
    ),
    "shapes::powers": (
        ("i <= n + 1; ++i) {\n        p(i) = p(i - 1) * a;", "i <= n; ++i) {\n        p(i) = p(i - 1) * a;"),
        ("p(i) = p(i - 1) * a;", "p(i) = std::pow(a, i - 1);"),
        ("    fortran::Array<double, 1> p(n + 1);", "    fortran::Array<double, 1> p(n + 2);"),
        ("p(i) = p(i - 1) * a;", "p(i) = static_cast<float>(p(i - 1)) * a;"),
        ("    p(1) = 1.0;\n", "    p(1) = n > 0 ? 1.0 : a;\n"),
    ),
    "shapes::powered": (
        ("array_1 = powers(n, a);", "array_1 = powers(n, -a);"),
        ("            x(i) = array_1(i);", "            x(i) = array_1(1);"),
        ("            x(i) = array_1(i);", "            x.data()[i - 1] = array_1(i);"),
        (
            "i <= x.upper(1); ++i) {\n            x(i) = array_1(i);",
            "i < x.upper(1); ++i) {\n            x(i) = array_1(i);",
        ),
        ("            x(i) = array_1(i);", "            x(i) = array_1(i) + 1e-17 * (i == 2);"),
    ),
    "shapes::outer": (
        ("z(i, j) = x(j) > y(i);", "z(i, j) = x(j) >= y(i);"),
        (
            "fortran::Array<bool, 2> z(fortran::size(y), fortran::size(x));",
            "fortran::Array<bool, 2> z(fortran::size(x), fortran::size(y));",
        ),
        ("z(i, j) = x(j) > y(i);", "z(i, j) = x(i) > y(i);"),
        ("z(i, j) = x(j) > y(i);", "z(i, j) = i < 60 && x(j) > y(i);"),
        ("z(i, j) = x(j) > y(i);", "z(i, j) = !(x(j) <= y(i));"),
    ),
    "shapes::raised": (
        ('"z") <= 0', '"z") < 0'),
        ("    return std::string(upper);", "    return std::string(upper).substr(0, 90);"),
        ("    upper = word;\n", ""),
        ("fortran::substring(word, i, i)) - 32", "fortran::substring(word, i, i)) - 31"),
        ("upper(fortran::length(word));", "upper(std::max(fortran::length(word) - 1, 0));"),
    ),
    "shapes::label": (
        ('text = "none";', 'text = "None";'),
        ("n < -3", "n <= -3"),
        (
            'text = "positive";',
            'text = "positi";\n        return n > 40 ? fortran::Character<6>("high") : text;',
        ),
        ('text = "low";', 'text.substring(1, 3) = "low";'),
        ('    if (n > 0) {\n        text = "pos', '    if (n > 1) {\n        text = "pos'),
    ),
    "shapes::ranged": (
        ("fortran::Dimension(0, b - a)", "fortran::Dimension(1, b - a + 1)"),
        ("    x.deallocate();\n    if (b < a)", "    x.allocate(0);\n    if (b < a)"),
        ("        x(i) = a + i;", "        x(i) = b - i;"),
        ("fortran::Dimension(0, b - a)", "fortran::Dimension(0, b - a + 1)"),
        ("i <= b - a; ++i", "i < b - a; ++i"),
    ),
    "shapes::grown": (
        ("add(x); add(value);", "add(value); add(x);"),
        (
            "        x.allocate(1);",
            "        x = fortran::Array<double, 1>{value, value};",
        ),
        (
            "    if (!x.allocated()) {\n        x.allocate(1);",
            "    if (x.size() < 2) {\n        x.allocate(1);",
        ),
        ("        x(1) = value;", "        x(1) = static_cast<float>(value);"),
        ("add(x); add(value);", "add(x); add(static_cast<float>(value));"),
    ),
    "shapes::kept": (
        (
            "    if (!mask.allocated()) {\n        return y;",
            "    if (!mask.allocated()) {\n        y.allocate(0);\n        return y;",
        ),
        ("y(count) = x(i);", "y(count) = x(count);"),
        ("first = mask.lower(1) - 1;", "first = 0;"),
        ("    y.allocate(count);", "    y.allocate(count + 1);"),
        ("    y.allocate(count);", "    if (count == 0) {\n        return y;\n    }\n    y.allocate(count);"),
    ),
}
"""Of each routine its mistakes: what of the right translation is replaced, and by what."""
ROUNDS = max(map(len, MISTAKES.values()))


@pytest.fixture(scope="module")
def right() -> Translated:
    found = translated(LIBRARY, sources(LIBRARY))
    assert isinstance(found, Translated)
    return found


def _verdicts(right: Translated, number: int, workshop: Workshop) -> dict[str, Verdict]:
    """Return the verdicts where each routine has its mistake of that number."""
    text = right.text
    for name, mistakes in MISTAKES.items():
        before, after = mistakes[number]
        assert text.count(before) == 1, (name, before)
        text = text.replace(before, after)
    return library.judged(LIBRARY, replace(right, text=text), workshop=workshop)


@pytest.mark.thorough
def test_the_right_translation_is_kept(right: Translated, workshop: Workshop) -> None:
    found = library.judged(LIBRARY, right, workshop=workshop)
    assert {name: verdict for name, verdict in found.items() if not isinstance(verdict, Passed)} == {}
    assert found.keys() == MISTAKES.keys()


@pytest.mark.parametrize("number", sampled(range(ROUNDS), ROUNDS))
def test_no_mistake_is_kept(right: Translated, workshop: Workshop, number: int) -> None:
    found = _verdicts(right, number, workshop)
    assert {name: verdict.kind for name, verdict in found.items() if not isinstance(verdict, Falsified)} == {}
