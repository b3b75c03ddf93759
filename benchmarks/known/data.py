"""Functions whose sizes or places follow data: histograms, tables, sizes in arrays, real factors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .maker import NUMBERS, REALS, Draw, Known, Maker, Values, below, numbers, outer, reach, small, tiny


def histogram(m: Maker) -> Known:
    """A bin that is computed from data."""
    form = m.choose("divide", "shift", "scale", "span", "modulo")
    whole = form in ("divide", "shift", "modulo")
    element = m.choose("int", "unsigned", "short") if whole else m.choose("float", "double")
    a, bins, n = m.array(element), m.out(m.choose("int", "unsigned", "float")), m.size()
    i, factor = m.local(), m.random.choice((2, 3, 10, 16, 100, 7))
    parts: tuple[str, ...] = ()
    if form == "span":
        parts = (m.scalar(element), m.scalar(element))
    if form == "modulo":
        parts = (m.scalar("int"),)
    at = {
        "divide": lambda: f"{a}[{i}] / {factor}",
        "shift": lambda: f"{a}[{i}] >> {factor % 5 + 1}",
        "scale": lambda: f"(int)({a}[{i}] * {factor})",
        "span": lambda: f"(int)(({a}[{i}] - {parts[0]}) / {parts[1]})",
        "modulo": lambda: f"{a}[{i}] % {parts[0]}",
    }[form]()
    text = m.loops([(i, n)], f"{bins}[{at}]{m.choose('++', ' += 1')};")

    def draw(r: Draw) -> Values:
        vn, kinds = small(r), small(r, 1)
        found: Values = {n: vn}
        bin_of = below(r, kinds, vn)
        inside = r.integers(0, factor, size=vn)
        if form == "divide":
            found[a] = bin_of * factor + inside
        elif form == "shift":
            shift = factor % 5 + 1
            found[a] = (bin_of << shift) + inside % (1 << shift)
        elif form == "scale":
            found[a] = np.asarray((bin_of + 0.5) / factor)
        elif form == "span":
            low, width = int(r.integers(-9, 9)), float(r.choice((0.5, 1, 2, 4)))
            found |= {a: low + (bin_of + 0.5) * width, parts[0]: low, parts[1]: width}
        else:
            found |= {a: bin_of + kinds * (inside % 3), parts[0]: kinds}
        return found | {bins: np.zeros(reach(bin_of))}

    return m.done(text, draw)


def size_in_array(m: Maker) -> Known:
    """A size, or two, that lie in an array."""
    element, place = m.random.choice(NUMBERS), m.random.choice((0, 0, 0, 1, 3))
    two = m.chance(0.3)
    sizes, x, y = m.array("int"), m.array(element), m.out(element)
    i, j, k = m.local(), m.local(), m.fresh(("N", "lim", "end", "todo"))
    read = m.choose(f"*{sizes}", f"{sizes}[0]") if place == 0 else f"{sizes}[{place}]"
    if two:
        at = f"{i} * {sizes}[{place + 1}] + {j}"
        text = m.loops([(i, read), (j, f"{sizes}[{place + 1}]")], f"{y}[{at}] = {x}[{at}] + 1;")
    elif m.chance(0.6):
        text = f"int {k} = {read};\n" + m.loops([(i, k)], f"{y}[{i}] = 2 * {x}[{i}];")
    else:
        text = m.loops([(i, read)], f"{y}[{i}] = {x}[{i}] + {y}[{i}];")

    def draw(r: Draw) -> Values:
        count, rows = small(r), tiny(r)
        held = np.zeros(place + 1 + (two and rows > 0), dtype=int)
        held[place] = rows if two else count
        if two and rows:
            held[place + 1] = count
        used = rows * count if two else count
        return {sizes: held, x: numbers(r, used), y: numbers(r, used)}

    return m.done(text, draw)


def resample(m: Maker) -> Known:
    """Elements at a real factor times the counter, in one or two dimensions."""
    element, real = m.random.choice(NUMBERS), m.choose("float", "float", "double")
    form = m.choose("plain", "middle", "two", "whole")
    x, y, n = m.array(element), m.out(element), m.scalar("int")
    i, j = m.local(), m.local()
    half = "0.5f" if real == "float" else "0.5"
    typed = np.float32 if real == "float" else np.float64
    if form == "whole":
        size = m.scalar("int")
        text = m.loops([(i, n)], f"{y}[{i}] = {x}[{i} * {size} / {n}];")
    elif form == "two":
        width, height, fy = m.scalar("int"), m.scalar("int"), m.scalar(real)
        fx = m.scalar(real)
        at = f"(int)({i} * {fy}) * {width} + (int)({j} * {fx})"
        text = m.loops([(i, height), (j, n)], f"{y}[{i} * {n} + {j}] = {x}[{at}];")
    else:
        fx = m.scalar(real)
        at = f"(int)(({i} + {half}) * {fx})" if form == "middle" else f"(int)({i} * {fx})"
        text = m.loops([(i, n)], f"{y}[{i}] = {x}[{at}];")

    def draw(r: Draw) -> Values:
        vn, f = small(r), typed(r.choice((0, 0.25, 0.5, 0.7, 1, 1.3, 2, 3.7, 8)))
        steps = np.arange(vn)
        if form == "whole":
            vs = small(r, 1)
            return {n: vn, size: vs, x: numbers(r, reach(steps * vs // max(vn, 1))), y: numbers(r, vn)}
        if form != "two":
            place = (steps.astype(typed) + typed(0.5 if form == "middle" else 0)) * f
            return {n: vn, fx: f, x: numbers(r, reach(place.astype(int))), y: numbers(r, vn)}
        vh, g = tiny(r), typed(r.choice((0.5, 1, 1.5, 2)))
        gi, gj = outer(vh, vn)
        line = (gj.astype(typed) * f).astype(int)
        vw = reach(line) + int(r.integers(0, 4))
        into = (gi.astype(typed) * g).astype(int) * vw + line
        found: Values = {n: vn, width: vw, height: vh, fx: f, fy: g}
        return found | {x: numbers(r, reach(into)), y: numbers(r, vh * vn)}

    return m.done(text, draw)


def rounded(m: Maker) -> Known:
    """Sums in places that a real number is rounded to."""
    element = m.random.choice(NUMBERS)
    how = m.choose("(int)", "(int)floorf", "(int)ceilf")
    x, y, n = m.array(element), m.out(element), m.scalar("int")
    a, b, i = m.scalar("float"), m.scalar("float"), m.local()
    text = m.loops([(i, n)], f"{y}[{how}({a} * {i} + {b})] += {x}[{i}];")

    def draw(r: Draw) -> Values:
        vn, va, vb = small(r), np.float32(r.choice((0, 0.25, 0.5, 1, 1.5, 3))), np.float32(r.integers(0, 9))
        place = va * np.arange(vn).astype(np.float32) + vb
        place = np.ceil(place) if "ceil" in how else np.floor(place)
        return {n: vn, a: va, b: vb, x: numbers(r, vn), y: numbers(r, reach(place.astype(int)))}

    return m.done(text, draw)


def lookup(m: Maker) -> Known:
    """Entries of a table, indices clamped, wrapped or masked."""
    element, form = m.random.choice(NUMBERS), m.choose("clamp", "modulo", "mask")
    table, key, y, n = m.array(element), m.array("int"), m.out(element), m.size()
    size = m.scalar("int") if form != "mask" else ""
    i, k, mask = m.local(), m.local(), m.random.choice((7, 15, 63))
    if form == "clamp":
        inner = f"int {k} = {key}[{i}];\nif ({k} < 0) {k} = 0;\nif ({k} > {size} - 1) {k} = {size} - 1;"
        if m.chance(0.5):
            inner = f"int {k} = {key}[{i}] < 0 ? 0 : {key}[{i}] >= {size} ? {size} - 1 : {key}[{i}];"
    elif form == "modulo":
        inner = f"int {k} = {key}[{i}] % {size};"
    else:
        inner = f"int {k} = {key}[{i}] & {mask};"
    text = m.loops([(i, n)], f"{{ {inner}\n{y}[{i}] = {table}[{k}]; }}")

    def draw(r: Draw) -> Values:
        vn, vm = small(r), small(r, 1)
        keys = r.integers(-9 if form == "clamp" else 0, 90, size=vn)
        used = {"clamp": np.clip(keys, 0, vm - 1), "modulo": keys % vm, "mask": keys & mask}[form]
        found: Values = {n: vn, key: keys, table: numbers(r, reach(used)), y: numbers(r, vn)}
        return found | ({size: vm} if size else {})

    return m.done(text, draw)


def characters(m: Maker) -> Known:
    """Tables by the code of a character."""
    element = m.random.choice(("int", "unsigned char", "float"))
    count = m.chance(0.5)
    text_of = m.array("unsigned char" if m.chance(0.6) else "char")
    signed = m.parameters[-1].dtype == "i1"
    n, i = m.size(), m.local()
    code = f"(unsigned char){text_of}[{i}]" if signed else f"{text_of}[{i}]"
    table = m.out("int") if count else m.array(element)
    y = "" if count else m.out(element)
    text = m.loops([(i, n)], f"{table}[{code}]++;" if count else f"{y}[{i}] = {table}[{code}];")

    def draw(r: Draw) -> Values:
        vn = small(r)
        codes = below(r, int(r.choice((128, 256))), vn)
        data = codes.astype(np.uint8).view(np.int8) if signed else codes
        found: Values = {n: vn, text_of: data, table: np.abs(numbers(r, reach(codes)))}
        return found | ({y: np.abs(numbers(r, vn))} if y else {})

    return m.done(text, draw)


def packed(m: Maker) -> Known:
    """Bits of words, or two indices in one word."""
    element = m.random.choice(NUMBERS)
    if m.chance(0.5):
        words, x, y, n = m.array("unsigned"), m.array(element), m.out(element), m.scalar("int")
        i = m.local()
        asked = f"{words}[{i} >> 5] >> ({i} & 31) & 1"
        text = m.loops([(i, n)], f"{y}[{i}] = ({asked}) ? {x}[{i}] : 0;")

        def bits(r: Draw) -> Values:
            vn = small(r)
            held = r.integers(0, 1 << 32, size=(vn + 31) // 32)
            set_bits = [k for k in range(vn) if held[k >> 5] >> (k & 31) & 1]
            return {n: vn, words: held, x: numbers(r, reach(np.array(set_bits))), y: numbers(r, vn)}

        return m.done(text, bits)
    code, a, b, y, n = m.array("int"), m.array(element), m.array(element), m.out(element), m.size()
    i = m.local()
    text = m.loops([(i, n)], f"{y}[{i}] = {a}[({code}[{i}] >> 8) & 255] + {b}[{code}[{i}] & 255];")

    def draw(r: Draw) -> Values:
        vn = small(r)
        high, low = below(r, small(r, 1), vn), below(r, 256, vn)
        found: Values = {n: vn, code: high * 256 + low, y: numbers(r, vn)}
        return found | {a: numbers(r, reach(high)), b: numbers(r, reach(low))}

    return m.done(text, draw)


def masked(m: Maker) -> Known:
    """Elements that are read only where a mask says so."""
    element, stride = m.random.choice(NUMBERS), m.random.choice((1, 1, 2, 3))
    mask, x, y, n = (
        m.array(m.choose("int", "unsigned char")),
        m.array(element),
        m.out(element),
        m.scalar("int"),
    )
    i = m.local()
    at = f"{i} * {stride}" if stride > 1 else i
    text = m.loops([(i, n)], f"if ({mask}[{i}]) {y}[{i}] = {x}[{at}];")

    def draw(r: Draw) -> Values:
        vn = small(r)
        chosen = r.integers(0, 2, size=vn)
        places = np.nonzero(chosen)[0]
        found: Values = {n: vn, mask: chosen, x: numbers(r, reach(places * stride))}
        return found | {y: numbers(r, reach(places))}

    return m.done(text, draw)


def members(m: Maker) -> Known:
    """Cells that are members of structs in an array, or sizes that are members of one struct."""
    element, name = m.random.choice(REALS), f"part_{m.number}"
    i, j = m.local(), m.local()
    if m.chance(0.5):
        m.types = f"struct {name} {{ float weight; int cell; }};\n"
        parts = _struct_pointer(m, name, 8)
        bins, n = m.out("float"), m.size()
        text = m.loops([(i, n)], f"{bins}[{parts}[{i}].cell] += {parts}[{i}].weight;")

        def cells(r: Draw) -> Values:
            vn = small(r)
            held = np.zeros(vn, dtype=[("weight", "f4"), ("cell", "i4")])
            held["weight"], held["cell"] = numbers(r, vn), below(r, small(r, 1), vn)
            return {n: vn, parts: held.view(np.uint8), bins: numbers(r, reach(held["cell"]))}

        return m.done(text, cells)
    m.types = f"struct {name} {{ int rows; int pad; int columns; int pitch; }};\n"
    by_value = m.chance(0.4)
    d = _struct_value(m, name) if by_value else _struct_pointer(m, name, 16)
    arrow = "." if by_value else "->"
    x, y = m.array(element), m.out(element)
    at, to = f"{i} * {d}{arrow}pitch + {j}", f"{i} * {d}{arrow}columns + {j}"
    text = m.loops([(i, f"{d}{arrow}rows"), (j, f"{d}{arrow}columns")], f"{y}[{to}] = {x}[{at}];")

    def draw(r: Draw) -> Values:
        rows, columns = tiny(r), small(r)
        pitch = columns + int(r.integers(0, 5))
        held = np.array([rows, 77, columns, pitch], dtype="i4")
        gi, gj = outer(rows, columns)
        found: Values = {d: held.tobytes() if by_value else held.view(np.uint8)}
        return found | {x: numbers(r, reach(gi * pitch + gj)), y: numbers(r, rows * columns)}

    return m.done(text, draw)


def _struct_pointer(m: Maker, name: str, stride: int) -> str:
    made = m.array("unsigned char")
    last = m.parameters.pop()
    declared = f"const struct {name} *{made}"
    m.parameters.append(replace(last, declared=declared, stride=stride))
    return made


def _struct_value(m: Maker, name: str) -> str:
    made = m.scalar()
    last = m.parameters.pop()
    m.parameters.append(replace(last, declared=f"struct {name} {made}", dtype=""))
    return made
