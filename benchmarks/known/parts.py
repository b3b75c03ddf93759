"""Functions with several ways to an array, some of which a call does not go: loops, cases, rows."""

from __future__ import annotations

import numpy as np

from .maker import NUMBERS, REALS, Draw, Known, Maker, Values, below, numbers, outer, reach, small, tiny


def several(m: Maker) -> Known:
    """One array in two loops of sizes of their own, or in a loop and in one within it."""
    element, form = m.random.choice(NUMBERS), m.choose("ahead", "within", "always")
    x, y, n, k = m.array(element), m.out(element), m.size(), m.size()
    i, j, off = m.local(), m.local(), m.random.randint(1, 5)
    if form == "within":
        inner = m.loops([(j, k)], f"{y}[{i}] += {x}[{i} * {k} + {j}];")
        text = m.loops([(i, n)], f"{{ {y}[{i}] = {x}[{i}];\n{inner} }}")
    else:
        first = m.loops([(i, n)], f"{y}[{i}] += {x}[{i} + {off}];")
        second = m.loops([(j, k)], f"{y}[{j}] *= {x}[{j}];")
        text = f"{first}\n{second}" + (f"\n{y}[0] = 1;\n{first}" if form == "always" else "")

    def draw(r: Draw) -> Values:
        vn, vk = tiny(r), tiny(r)
        gi, gj = outer(vn, vk)
        ahead = reach(np.arange(vn) + off)
        top = max(vn, reach(gi * vk + gj)) if form == "within" else max(ahead, vk)
        into = vn if form == "within" else max(vn, vk, int(form == "always"))
        return {n: vn, k: vk, x: numbers(r, top), y: numbers(r, into)}

    return m.done(text, draw)


def cases(m: Maker) -> Known:
    """An array that some cases of a switch reach, each in its own way."""
    element, before = m.random.choice(NUMBERS), m.chance(0.5)
    mode, n = m.scalar(), m.size()
    x, more, y, i = m.array(element), m.array(element), m.out(element), m.local()
    stride = m.random.randint(2, 4)
    ways = (f"{y}[{i}] = {x}[{i}];", f"{y}[{i}] = {more}[{stride} * {i}];", f"{y}[{i}] = 0;")
    inner = f"case 0: {ways[0]} break;\ncase 1: case 4: {ways[1]} break;\ndefault: {ways[2]}"
    loop = m.loops([(i, n)], f"switch ({mode}) {{\n{inner}\n}}")
    text = f"if ({n} <= 0) return;\n{loop}" if before else loop

    def draw(r: Draw) -> Values:
        vn, value = small(r), int(r.choice((-1, 0, 0, 1, 2, 4)))
        far = reach(np.arange(vn) * stride) if value in (1, 4) else 0
        return {
            mode: value,
            n: vn,
            x: numbers(r, vn * (value == 0)),
            more: numbers(r, far),
            y: numbers(r, vn),
        }

    return m.done(text, draw)


def rows_named(m: Maker) -> Known:
    """Rows that indices choose, by a pointer of the function; of a row some places are left out."""
    element, guarded = m.random.choice(REALS), m.chance(0.5)
    x, at, y = m.array(element), m.array("int"), m.out(element)
    n, width, ld = m.scalar("int"), m.scalar("int"), m.scalar("int")
    i, j, row = m.local(), m.local(), m.local()
    begins = m.choose(f"{x} + {at}[{i}] * {ld}", f"&{x}[{at}[{i}] * {ld}]")
    limit = m.scalar("int") if guarded else ""
    taken = f"{y}[{i} * {width} + {j}] = {row}[{j}];"
    inner = m.loops([(j, width)], f"if ({j} < {limit}) {taken}" if guarded else taken)
    text = m.loops([(i, n)], f"{{ const {element} *{row} = {begins};\n{inner} }}")

    def draw(r: Draw) -> Values:
        vn, vw = tiny(r), tiny(r)
        vl, index = vw + int(r.integers(0, 3)), below(r, small(r, 1), vn)
        most = tiny(r) if guarded else vw
        gi, gj = outer(vn, min(vw, most))
        # Where a row begins is asked whether any of its elements is read or not.
        found: Values = {n: vn, width: vw, ld: vl, at: index} | ({limit: most} if guarded else {})
        return found | {x: numbers(r, reach(index[gi] * vl + gj)), y: numbers(r, reach(gi * vw + gj))}

    return m.done(text, draw)
