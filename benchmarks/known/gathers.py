"""Functions that find elements through arrays of indices."""

from __future__ import annotations

import numpy as np

from .maker import NUMBERS, REALS, Draw, Known, Maker, Values, below, numbers, outer, reach, small, tiny


def gather(m: Maker) -> Known:
    """Elements through an index array, with strides of batches and channels."""
    element = m.random.choice(NUMBERS)
    form = m.choose("batch", "shared", "group", "last")
    x, idx, y = m.array(element), m.array("int"), m.out(element)
    b, c, n, k = m.size(), m.size(), m.size(), m.size()
    s = m.size() if form == "group" else ""
    ib, ic, ik, js = m.local(), m.local(), m.local(), m.local()
    plane = f"({ib} * {c} + {ic})"
    body = {
        "batch": f"{y}[{plane} * {k} + {ik}] = {x}[{plane} * {n} + {idx}[{ib} * {k} + {ik}]];",
        "shared": f"{y}[{plane} * {k} + {ik}] = {x}[{plane} * {n} + {idx}[{ik}]];",
        "group": f"{y}[({plane} * {k} + {ik}) * {s} + {js}] = "
        f"{x}[{plane} * {n} + {idx}[({ib} * {k} + {ik}) * {s} + {js}]];",
        "last": f"{y}[({ib} * {k} + {ik}) * {c} + {ic}] = "
        f"{x}[({ib} * {n} + {idx}[{ib} * {k} + {ik}]) * {c} + {ic}];",
    }[form]
    bounds = [(ib, b), (ic, c), (ik, k)] + ([(js, s)] if s else [])
    text = m.loops(bounds, body, shuffled=True)

    def draw(r: Draw) -> Values:
        vb, vc, vn, vk, vs = tiny(r), tiny(r), small(r, 1), small(r), tiny(r) if s else 1
        rows = 1 if form == "shared" else vb
        index = below(r, vn, rows * vk * vs)
        gb, gc, gk, gs = outer(vb, vc, vk, vs)
        at = gk if form == "shared" else (gb * vk + gk) * vs + gs
        into = (gb * vn + index[at]) * vc + gc if form == "last" else (gb * vc + gc) * vn + index[at]
        used = reach(at)
        found: Values = {
            b: vb,
            c: vc,
            n: vn,
            k: vk,
            x: numbers(r, reach(into)),
            idx: index[:used],
            y: numbers(r, vb * vc * vk * vs),
        }
        return found | ({s: vs} if s else {})

    return m.done(text, draw)


def scatter(m: Maker) -> Known:
    """Sums in cells that are computed from two or three index arrays."""
    element, three = m.random.choice(NUMBERS), m.chance(0.3)
    z, x, v, cells = m.array("int"), m.array("int"), m.array(element), m.out(element)
    nx, n = m.size(), m.size()
    y, ny = (m.array("int"), m.size()) if three else ("", "")
    i = m.local()
    cell = f"({z}[{i}] * {ny} + {y}[{i}]) * {nx} + {x}[{i}]" if three else f"{z}[{i}] * {nx} + {x}[{i}]"
    added = m.choose(f"+= {v}[{i}]", f"-= {v}[{i}]", "+= 1")
    text = m.loops([(i, n)], f"{cells}[{cell}] {added};")
    used_v = v in added

    def draw(r: Draw) -> Values:
        vn, vx, vy, vz = small(r), small(r, 1), tiny(r, 1), tiny(r, 1)
        iz, iy, ix = below(r, vz, vn), below(r, vy, vn), below(r, vx, vn)
        at = (iz * vy + iy) * vx + ix if three else iz * vx + ix
        found: Values = {n: vn, nx: vx, z: iz, x: ix, v: numbers(r, vn if used_v else 0)}
        found[cells] = numbers(r, reach(at))
        return found | ({y: iy, ny: vy} if three else {})

    return m.done(text, draw)


def spmv(m: Maker) -> Known:
    """A sparse matrix by rows times a vector; the first row may begin behind the first element."""
    element = m.random.choice(REALS)
    row, col = m.array("int"), m.array("int")
    val, x, y = m.array(element), m.array(element), m.out(element)
    n = m.size()
    i, k, s = m.local(), m.local(), m.local()
    inner = f"for (int {k} = {row}[{i}]; {k} < {row}[{i} + 1]; {k}++) {s} += {val}[{k}] * {x}[{col}[{k}]];"
    text = m.loops([(i, n)], f"{{ {element} {s} = 0;\n{inner}\n{y}[{i}] = {s}; }}")

    def draw(r: Draw) -> Values:
        vn, cols = small(r), small(r, 1)
        counts = r.integers(0, 5, size=vn)
        first = int(r.choice((0, 0, 3)))
        offsets = np.concatenate([[first], first + np.cumsum(counts)]) if vn else np.zeros(0)
        end = int(offsets[-1]) if vn and counts.sum() else 0
        columns = below(r, cols, end)
        found: Values = {n: vn, row: offsets, col: columns, val: numbers(r, end), y: numbers(r, vn)}
        return found | {x: numbers(r, reach(columns[first:]))}

    return m.done(text, draw)


def some_rows(m: Maker) -> Known:
    """Sums over those rows of a sparse matrix that a list names."""
    element = m.random.choice(REALS)
    which, row, val, y, n = m.array("int"), m.array("int"), m.array(element), m.out(element), m.size()
    i, w, k, s = m.local(), m.local(), m.local(), m.local()
    inner = f"for (int {k} = {row}[{w}]; {k} < {row}[{w} + 1]; {k}++) {s} += {val}[{k}];"
    text = m.loops([(i, n)], f"{{ int {w} = {which}[{i}];\n{element} {s} = 0;\n{inner}\n{y}[{i}] = {s}; }}")

    def draw(r: Draw) -> Values:
        vn, rows = small(r), small(r, 1)
        offsets = np.concatenate([[0], np.cumsum(r.integers(0, 5, size=rows))])
        chosen = below(r, rows, vn)
        read = chosen[offsets[chosen + 1] > offsets[chosen]]
        return {
            n: vn,
            which: chosen,
            row: offsets[: reach(chosen + 1)],
            val: numbers(r, reach(offsets[read + 1] - 1)),
            y: numbers(r, vn),
        }

    return m.done(text, draw)


def spread_rows(m: Maker) -> Known:
    """A transposed sparse matrix times a vector, of which rows without elements ask for none."""
    row, col, x, y, n = m.array("int"), m.array("int"), m.array("int"), m.out("int"), m.size()
    i, k = m.local(), m.local()
    inner = f"for (int {k} = {row}[{i}]; {k} < {row}[{i} + 1]; {k}++) {y}[{col}[{k}]] += {x}[{i}];"
    text = m.loops([(i, n)], inner)

    def draw(r: Draw) -> Values:
        vn, cols = small(r), small(r, 1)
        counts = r.integers(0, 3, size=vn) * r.integers(0, 2)
        offsets = np.concatenate([[0], np.cumsum(counts)]) if vn else np.zeros(0, int)
        columns = below(r, cols, int(counts.sum()))
        found: Values = {n: vn, row: offsets, col: columns, x: numbers(r, reach(np.nonzero(counts)[0]))}
        return found | {y: numbers(r, reach(columns))}

    return m.done(text, draw)


def modes(m: Maker) -> Known:
    """An array that is there, or an index that is followed, in one of two modes."""
    element, followed = m.random.choice(NUMBERS), m.chance(0.5)
    flag = m.scalar()
    x, y, n = m.array(element), m.out(element), m.size()
    more, off = m.array("int" if followed else element), m.choose("!{}", "{} <= 0", "{} == 0", "{} < 0")
    i, k = m.local(), m.local()
    test = off.format(flag)
    body = (
        f"{{ int {k} = {i};\nif ({test}) {k} = {more}[{i}];\n{y}[{i}] = {x}[{k}]; }}"
        if followed
        else f"{{ {y}[{i}] = {x}[{i}];\nif ({test}) {y}[{i}] += {more}[{i}]; }}"
    )
    text = m.loops([(i, n)], body)

    def draw(r: Draw) -> Values:
        vn, value = small(r), int(r.choice((-1, 0, 0, 1, 2, 7)))
        on = {"!{}": value == 0, "{} == 0": value == 0, "{} <= 0": value <= 0, "{} < 0": value < 0}[off]
        index = below(r, small(r, 1), vn)
        reached = reach(index) if followed and on else vn
        second = (index if followed else numbers(r, vn)) if on else numbers(r, 0)
        return {flag: value, n: vn, x: numbers(r, reached), more: second, y: numbers(r, vn)}

    return m.done(text, draw)


def ell(m: Maker) -> Known:
    """A sparse matrix with as many places a row, by columns, unused places marked or zero."""
    element, marked = m.random.choice(REALS), m.chance(0.6)
    col, val, x, y = m.array("int"), m.array(element), m.array(element), m.out(element)
    n, width = m.size(), m.size()
    i, k, s, c = m.local(), m.local(), m.local(), m.local()
    taken = f"{s} += {val}[{k} * {n} + {i}] * {x}[{c}];"
    guarded = f"if ({c} >= 0) {taken}" if marked else taken
    inner = f"for (int {k} = 0; {k} < {width}; {k}++) {{ int {c} = {col}[{k} * {n} + {i}]; {guarded} }}"
    text = m.loops([(i, n)], f"{{ {element} {s} = 0;\n{inner}\n{y}[{i}] = {s}; }}")

    def draw(r: Draw) -> Values:
        vn, vw, cols = small(r), tiny(r), small(r, 1)
        columns = below(r, cols, vn * vw)
        if marked and len(columns):
            columns[r.integers(0, 4, size=len(columns)) == 0] = -1
        places = np.nonzero(columns >= 0)[0]
        found: Values = {n: vn, width: vw, col: columns, val: numbers(r, reach(places))}
        return found | {x: numbers(r, reach(columns[places])), y: numbers(r, vn)}

    return m.done(text, draw)


def permute(m: Maker) -> Known:
    """Elements to places that are all different."""
    element = m.random.choice(NUMBERS)
    x, p, y, n = m.array(element), m.array("int"), m.out(element), m.size()
    i = m.local()
    inverse = m.chance(0.4)
    text = m.loops([(i, n)], f"{y}[{i}] = {x}[{p}[{i}]];" if inverse else f"{y}[{p}[{i}]] = {x}[{i}];")

    def draw(r: Draw) -> Values:
        vn = small(r)
        places = r.permutation(vn + int(r.choice((0, 0, 5))))[:vn]
        here, there = (y, x) if inverse else (x, y)
        return {n: vn, p: places, here: numbers(r, vn), there: numbers(r, reach(places))}

    return m.done(text, draw)


def segments(m: Maker) -> Known:
    """Sums of segments that begin where an array says."""
    element = m.random.choice(NUMBERS)
    off, x, y, n = m.array("int"), m.array(element), m.out(element), m.size()
    s, i, t = m.local(), m.local(), m.local()
    if m.chance(0.5):
        inner = f"for (int {i} = {off}[{s}]; {i} < {off}[{s} + 1]; {i}++) {t} += {x}[{i}];"
        more = ""
    else:
        more = m.array("int")
        inner = f"for (int {i} = 0; {i} < {more}[{s}]; {i}++) {t} += {x}[{off}[{s}] + {i}];"
    text = m.loops([(s, n)], f"{{ {element} {t} = 0;\n{inner}\n{y}[{s}] = {t}; }}")

    def draw(r: Draw) -> Values:
        vn = small(r)
        if not more:
            counts = r.integers(0, 6, size=vn)
            offsets = np.concatenate([[0], np.cumsum(counts)]) if vn else np.zeros(0)
            return {n: vn, off: offsets, x: numbers(r, int(counts.sum())), y: numbers(r, vn)}
        begins, counts = r.integers(0, 40, size=vn), r.integers(0, 6, size=vn)
        ends = (begins + counts)[counts > 0]
        begins = begins[
            : reach(np.nonzero(counts)[0])
        ]  # Where a segment without elements begins is not asked.
        found: Values = {n: vn, off: begins, more: counts, x: numbers(r, reach(ends - 1))}
        return found | {y: numbers(r, vn)}

    return m.done(text, draw)


def indirect(m: Maker) -> Known:
    """Elements through an array of indices of an array of indices."""
    element = m.random.choice(NUMBERS)
    x, a, b, y, n = m.array(element), m.array("int"), m.array("int"), m.out(element), m.size()
    i = m.local()
    text = m.loops([(i, n)], f"{y}[{i}] = {x}[{a}[{b}[{i}]]];")

    def draw(r: Draw) -> Values:
        vn, va, vx = small(r), small(r, 1), small(r, 1)
        ib = below(r, va, vn)
        ia = below(r, vx, reach(ib))
        return {n: vn, b: ib, a: ia, x: numbers(r, reach(ia[ib])), y: numbers(r, vn)}

    return m.done(text, draw)


def edges(m: Maker) -> Known:
    """Sums along the edges of a graph."""
    element = m.random.choice(NUMBERS)
    src, dst, x, acc, n = m.array("int"), m.array("int"), m.array(element), m.out(element), m.size()
    w = m.array(element) if m.chance(0.5) else ""
    e = m.local()
    factor = f"{w}[{e}] * " if w else ""
    text = m.loops([(e, n)], f"{acc}[{dst}[{e}]] += {factor}{x}[{src}[{e}]];")

    def draw(r: Draw) -> Values:
        vn, nodes = small(r), small(r, 1)
        a, b = below(r, nodes, vn), below(r, nodes, vn)
        found: Values = {n: vn, src: a, dst: b, x: numbers(r, reach(a)), acc: numbers(r, reach(b))}
        return found | ({w: numbers(r, vn)} if w else {})

    return m.done(text, draw)


def embedding(m: Maker) -> Known:
    """Rows of a table by number, copied or added up."""
    element, bag = m.random.choice(REALS), m.chance(0.4)
    table, idx, y, n, d = m.array(element), m.array("int"), m.out(element), m.size(), m.size()
    i, k = m.local(), m.local()
    row = f"{table}[{idx}[{i}] * {d} + {k}]"
    text = m.loops([(i, n), (k, d)], f"{y}[{k}] += {row};" if bag else f"{y}[{i} * {d} + {k}] = {row};")

    def draw(r: Draw) -> Values:
        vn, vd, words = small(r), small(r), small(r, 1)
        index = below(r, words, vn) if vd else np.zeros(0, int)
        gi, gk = outer(len(index), vd)
        length = (vd if vn else 0) if bag else vn * vd
        return {
            n: vn,
            d: vd,
            idx: index,
            table: numbers(r, reach(index[gi] * vd + gk)),
            y: numbers(r, length),
        }

    return m.done(text, draw)


def unpool(m: Maker) -> Known:
    """Values to places of their own within each channel."""
    element = m.random.choice(NUMBERS)
    v, idx, y, c, n, size = m.array(element), m.array("int"), m.out(element), m.size(), m.size(), m.size()
    ic, i = m.local(), m.local()
    at = f"{ic} * {n} + {i}"
    text = m.loops([(ic, c), (i, n)], f"{y}[{ic} * {size} + {idx}[{at}]] = {v}[{at}];")

    def draw(r: Draw) -> Values:
        vc, vn = tiny(r), small(r)
        whole = vn + int(r.integers(0, 9))
        places = np.concatenate([r.permutation(whole)[:vn] for _ in range(vc)] or [np.zeros(0, int)])
        gc, gi = outer(vc, vn)
        into = gc * whole + places[gc * vn + gi]
        found: Values = {c: vc, n: vn, size: whole, idx: places, v: numbers(r, vc * vn)}
        return found | {y: numbers(r, reach(into))}

    return m.done(text, draw)


def guarded(m: Maker) -> Known:
    """Elements through indices that may lie outside and are asked first."""
    element = m.random.choice(NUMBERS)
    x, idx, y, n, size = m.array(element), m.array("int"), m.out(element), m.size(), m.scalar("int")
    i, k = m.local(), m.local()
    inside = m.choose(f"{k} >= 0 && {k} < {size}", f"0 <= {k} && {k} <= {size} - 1")
    other = m.choose("", f" else {y}[{i}] = 0;")
    text = m.loops([(i, n)], f"{{ int {k} = {idx}[{i}];\nif ({inside}) {y}[{i}] = {x}[{k}];{other} }}")

    def draw(r: Draw) -> Values:
        vn, vm = small(r), small(r)
        index = r.integers(-5, vm + 6, size=vn)
        valid = (index >= 0) & (index < vm)
        written = vn if other else reach(np.nonzero(valid)[0])
        return {n: vn, size: vm, idx: index, x: numbers(r, reach(index[valid])), y: numbers(r, written)}

    return m.done(text, draw)


def gathered_sum(m: Maker) -> Known:
    """Sum of gathered elements, returned."""
    element = m.random.choice(REALS)
    x, idx, n = m.array(element), m.array(m.choose("int", "int", "unsigned", "long")), m.size()
    i, s = m.local(), m.local()
    text = f"{element} {s} = 0;\n" + m.loops([(i, n)], f"{s} += {x}[{idx}[{i}]];") + f"\nreturn {s};"

    def draw(r: Draw) -> Values:
        vn = small(r)
        index = below(r, small(r, 1), vn)
        return {n: vn, idx: index, x: numbers(r, reach(index))}

    return m.done(text, draw, returns=element)
