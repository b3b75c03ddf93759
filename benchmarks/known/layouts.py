"""Functions whose subscripts are computed from counters and sizes alone."""

from __future__ import annotations

import numpy as np

from .maker import NUMBERS, REALS, Draw, Known, Maker, Values, numbers, outer, reach, small, tiny


def leading(m: Maker) -> Known:
    """A matrix whose rows may be longer than what is used of them, copied or transposed."""
    element, turned = m.random.choice(NUMBERS), m.chance(0.4)
    x, y, rows, columns, ld, to = m.array(element), m.out(element), m.size(), m.size(), m.size(), m.size()
    i, j = m.local(), m.local()
    into = f"{j} * {to} + {i}" if turned else f"{i} * {to} + {j}"
    text = m.loops([(i, rows), (j, columns)], f"{y}[{into}] = {x}[{i} * {ld} + {j}];", shuffled=True)

    def draw(r: Draw) -> Values:
        vr, vc = tiny(r), small(r)
        va, vb = vc + int(r.integers(0, 4)), (vr if turned else vc) + int(r.integers(0, 4))
        gi, gj = outer(vr, vc)
        found: Values = {rows: vr, columns: vc, ld: va, to: vb, x: numbers(r, reach(gi * va + gj))}
        return found | {y: numbers(r, reach(gj * vb + gi if turned else gi * vb + gj))}

    return m.done(text, draw)


def triangular(m: Maker) -> Known:
    """A triangle of a matrix, packed or in place."""
    element, form = m.random.choice(REALS), m.choose("packed", "lower", "strict", "upper")
    a, x, y, n = m.array(element), m.array(element), m.out(element), m.scalar("int")
    i, j = m.local(), m.local()
    begin = f"{i}" if form == "upper" else "0"
    end = {"packed": f"{j} <= {i}", "lower": f"{j} < {i} + 1", "strict": f"{j} < {i}", "upper": f"{j} < {n}"}[
        form
    ]
    at = f"{i} * ({i} + 1) / 2 + {j}" if form == "packed" else f"{i} * {n} + {j}"
    inner = f"for (int {j} = {begin}; {end}; {j}++)\n{y}[{i}] += {a}[{at}] * {x}[{j}];"
    text = m.loops([(i, n)], inner)

    def draw(r: Draw) -> Values:
        vn = small(r)
        gi, gj = outer(vn, vn)
        inside = {"strict": gj < gi, "upper": gj >= gi}.get(form, gj <= gi)
        gi, gj = gi[inside], gj[inside]
        into = gi * (gi + 1) // 2 + gj if form == "packed" else gi * vn + gj
        return {n: vn, a: numbers(r, reach(into)), x: numbers(r, reach(gj)), y: numbers(r, reach(gi))}

    return m.done(text, draw)


def backwards(m: Maker) -> Known:
    """From the last element to the first, with a stride."""
    element, form = m.random.choice(NUMBERS), m.choose("turned", "strided", "down")
    x, y, n, i = m.array(element), m.out(element), m.scalar("int"), m.local()
    s = m.size() if form == "strided" else ""
    if form == "down":
        text = f"for (int {i} = {n} - 1; {i} >= 0; {i}--) {y}[{n} - 1 - {i}] = {x}[{i}];"
    else:
        at = f"({n} - 1 - {i}) * {s}" if s else f"{n} - 1 - {i}"
        text = m.loops([(i, n)], f"{y}[{i}] = {x}[{at}];")

    def draw(r: Draw) -> Values:
        vn, vs = small(r), tiny(r) if s else 1
        found: Values = {n: vn, x: numbers(r, reach(np.arange(vn) * vs)), y: numbers(r, vn)}
        return found | ({s: vs} if s else {})

    return m.done(text, draw)


def product(m: Maker) -> Known:
    """A product of sizes that is passed beside them."""
    element = m.random.choice(NUMBERS)
    x, by_column, by_row, y = m.array(element), m.array(element), m.array(element), m.out(element)
    w, h, total, i = m.scalar("int"), m.scalar("int"), m.scalar("int"), m.local()
    uses_h = m.chance(0.4)
    last = f"{by_row}[{i} / {w} % {h}]" if uses_h else f"{by_row}[{i} / {w}]"
    text = m.loops([(i, total)], f"{y}[{i}] = {x}[{i}] + {by_column}[{i} % {w}] - {last};")

    def draw(r: Draw) -> Values:
        vw, vh, times = small(r, 1), tiny(r, 1), tiny(r) if uses_h else 1
        vt = vw * vh * times
        steps = np.arange(vt)
        rows = steps // vw % vh if uses_h else steps // vw
        found: Values = {w: vw, h: vh, total: vt, x: numbers(r, vt), y: numbers(r, vt)}
        return found | {by_column: numbers(r, reach(steps % vw)), by_row: numbers(r, reach(rows))}

    return m.done(text, draw)


def extremes(m: Maker) -> Known:
    """A size that is the lesser or the greater of two."""
    element, form = m.random.choice(NUMBERS), m.choose("least", "both", "greatest")
    x, y, a, b = m.array(element), m.out(element), m.scalar("int"), m.scalar("int")
    i, k = m.local(), m.local()
    inner = f"{y}[{i}] = {x}[{i}] * 2;"
    if form == "both":
        text = f"for (int {i} = 0; {i} < {a} && {i} < {b}; {i}++) {inner}"
    else:
        sign = "<" if form == "least" else ">"
        text = f"int {k} = {a} {sign} {b} ? {a} : {b};\n" + m.loops([(i, k)], inner)

    def draw(r: Draw) -> Values:
        va, vb = small(r), small(r)
        used = max(va, vb) if form == "greatest" else min(va, vb)
        return {a: va, b: vb, x: numbers(r, used), y: numbers(r, used)}

    return m.done(text, draw)


def neighbours(m: Maker) -> Known:
    """A stencil inside the border, in one dimension or two, with sizes of a narrow type at times."""
    element = m.random.choice(REALS)
    x, y, i, j = m.array(element), m.out(element), m.local(), m.local()
    n = m.scalar(m.choose("int", "short", "long"))
    if m.chance(0.5):
        text = f"for (int {i} = 1; {i} < {n} - 1; {i}++) {y}[{i}] = {x}[{i} - 1] + {x}[{i}] + {x}[{i} + 1];"

        def line(r: Draw) -> Values:
            vn = small(r)
            inside = max(vn - 2, 0)
            return {n: vn, x: numbers(r, vn if inside else 0), y: numbers(r, vn - 1 if inside else 0)}

        return m.done(text, line)
    w = m.scalar("int")
    at = f"{i} * {w} + {j}"
    around = f"{x}[({i} - 1) * {w} + {j}] + {x}[({i} + 1) * {w} + {j}] + {x}[{at} - 1] + {x}[{at} + 1]"
    inner = f"for (int {j} = 1; {j} < {w} - 1; {j}++)\n{y}[{at}] = {around};"
    text = f"for (int {i} = 1; {i} < {n} - 1; {i}++)\n{inner}"

    def draw(r: Draw) -> Values:
        vn, vw = small(r), small(r)
        some = vn > 2 and vw > 2
        read = (vn - 1) * vw + vw - 1 if some else 0
        return {n: vn, w: vw, x: numbers(r, read), y: numbers(r, (vn - 1) * vw - 1 if some else 0)}

    return m.done(text, draw)


def rows_of_constant(m: Maker) -> Known:
    """Rows of constant length, as types say."""
    element, width = m.random.choice(NUMBERS), m.random.choice((3, 8, 16))
    named = m.chance(0.5)
    row = f"WIDTH_{m.number}" if named else str(width)
    if named:
        m.types = f"#define {row} {width}\n"
    x, y, n, i, j = m.array(element, row=row), m.out(element), m.size(), m.local(), m.local()
    text = m.loops([(i, n), (j, row)], f"{y}[{i}] += {x}[{i}][{j}];")

    def draw(r: Draw) -> Values:
        vn = small(r)
        return {n: vn, x: numbers(r, vn * width), y: numbers(r, vn)}

    return m.done(text, draw)


def convolution(m: Maker) -> Known:
    """Sums over a window that slides."""
    element = m.random.choice(REALS)
    x, w, y, n, k = m.array(element), m.array(element), m.out(element), m.size(), m.size()
    i, j = m.local(), m.local()
    s = m.size() if m.chance(0.4) else ""
    at = f"{i} * {s} + {j}" if s else f"{i} + {j}"
    text = m.loops([(i, n), (j, k)], f"{y}[{i}] += {x}[{at}] * {w}[{j}];")

    def draw(r: Draw) -> Values:
        vn, vk, vs = small(r), tiny(r), tiny(r) if s else 1
        gi, gj = outer(vn, vk)
        found: Values = {n: vn, k: vk, x: numbers(r, reach(gi * vs + gj)), w: numbers(r, reach(gj))}
        return found | {y: numbers(r, reach(gi))} | ({s: vs} if s else {})

    return m.done(text, draw)


def every_other(m: Maker) -> Known:
    """Elements at a stride from an offset on."""
    element, walked = m.random.choice(NUMBERS), m.chance(0.4)
    x, y, n, s, off = m.array(element), m.out(element), m.scalar("int"), m.scalar("int"), m.scalar("int")
    i = m.local()
    if walked:
        text = f"for (int {i} = {off}; {i} < {n}; {i} += {s}) {y}[{i}] = {x}[{i}] + 1;"
    else:
        text = m.loops([(i, n)], f"{y}[{i}] = {x}[{i} * {s} + {off}];")

    def draw(r: Draw) -> Values:
        vn, vs, vo = small(r), tiny(r, 1), tiny(r)
        if walked:
            at = np.arange(vo, vn, vs)
            return {n: vn, s: vs, off: vo, x: numbers(r, reach(at)), y: numbers(r, reach(at))}
        at = np.arange(vn) * vs + vo
        return {n: vn, s: vs, off: vo, x: numbers(r, reach(at)), y: numbers(r, vn)}

    return m.done(text, draw)


def part(m: Maker) -> Known:
    """A part between two places."""
    element = m.random.choice(NUMBERS)
    x, y, lo, hi, i = m.array(element), m.out(element), m.scalar("int"), m.scalar("int"), m.local()
    moved = m.chance(0.5)
    to = f"{i} - {lo}" if moved else i
    text = f"for (int {i} = {lo}; {i} < {hi}; ++{i}) {y}[{to}] = {x}[{i}];"

    def draw(r: Draw) -> Values:
        low = tiny(r)
        high = low + small(r) if r.integers(0, 8) else max(low - 2, 0)
        at = np.arange(low, high)
        return {lo: low, hi: high, x: numbers(r, reach(at)), y: numbers(r, reach(at - low if moved else at))}

    return m.done(text, draw)


def band(m: Maker) -> Known:
    """A matrix of a few diagonals times a vector."""
    element = m.random.choice(REALS)
    a, x, y, n, k = m.array(element), m.array(element), m.out(element), m.scalar("int"), m.scalar("int")
    i, j, c = m.local(), m.local(), m.local()
    inner = (
        f"for (int {j} = 0; {j} < 2 * {k} + 1; {j}++) {{ int {c} = {i} + {j} - {k};\n"
        f"if ({c} >= 0 && {c} < {n}) {y}[{i}] += {a}[{i} * (2 * {k} + 1) + {j}] * {x}[{c}]; }}"
    )
    text = m.loops([(i, n)], inner)

    def draw(r: Draw) -> Values:
        vn, vk = small(r), tiny(r)
        gi, gj = outer(vn, 2 * vk + 1)
        inside = (gi + gj - vk >= 0) & (gi + gj - vk < vn)
        into = (gi * (2 * vk + 1) + gj)[inside]
        return {n: vn, k: vk, a: numbers(r, reach(into)), x: numbers(r, vn), y: numbers(r, vn)}

    return m.done(text, draw)


def repeated(m: Maker) -> Known:
    """Each element several times: a quotient of the counter."""
    element = m.random.choice(NUMBERS)
    x, y, n, k, i = m.array(element), m.out(element), m.scalar("int"), m.scalar("int"), m.local()
    text = m.loops([(i, n)], f"{y}[{i}] = {x}[{i} / {k}];")

    def draw(r: Draw) -> Values:
        vn, vk = small(r), tiny(r, 1)
        return {n: vn, k: vk, x: numbers(r, reach(np.arange(vn) // vk)), y: numbers(r, vn)}

    return m.done(text, draw)


def multiply(m: Maker) -> Known:
    """A product of matrices, some of which lie transposed."""
    element, left, right = m.random.choice(REALS), m.chance(0.3), m.chance(0.3)
    a, b, c = m.array(element), m.array(element), m.out(element)
    n, k, depth = m.size(), m.size(), m.size()
    i, j, p = m.local(), m.local(), m.local()
    one = f"{p} * {n} + {i}" if left else f"{i} * {depth} + {p}"
    two = f"{j} * {depth} + {p}" if right else f"{p} * {k} + {j}"
    text = m.loops(
        [(i, n), (j, k), (p, depth)], f"{c}[{i} * {k} + {j}] += {a}[{one}] * {b}[{two}];", shuffled=True
    )

    def draw(r: Draw) -> Values:
        vn, vk, vl = tiny(r), small(r), tiny(r)
        some = bool(vn and vk and vl)
        found: Values = {n: vn, k: vk, depth: vl, a: numbers(r, vn * vl if some else 0)}
        return found | {b: numbers(r, vl * vk if some else 0), c: numbers(r, vn * vk if some else 0)}

    return m.done(text, draw)
