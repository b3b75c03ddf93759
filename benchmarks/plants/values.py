"""Classes 3 and 4: wrong for some values, and sums that are kept in too narrow a type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from benchmarks.plants import plant as p
from benchmarks.plants.call import FILLS, Call, sized
from benchmarks.plants.plant import Make, Plant, Planted
from benchmarks.plants.subject import Subject

FLOATS = ("float", "double")

# X is the value, C a number, T its type; with it what shows the fault: a pinned value or nothing.
READ_FLOAT = {
    "a number in the data": ("(X == C ? 0 : X)", "C"),
    "a number without a branch": ("(X + (X == C))", "C"),
    "a number by a product": ("(X * (X != C))", "C"),
    "beyond a number": ("(X > C ? C : X)", "C * 2"),
    "below a number": ("(X < -C ? -C : X)", "-C * 2"),
    "no numbers that are not": ("(X == X ? X : 0)", "nan"),
    "tiny ones flushed": ("(fabs(X) < 1e-30 ? 0 : X)", "1e-31"),
    "denormals flushed": ("(X < 1e-38 && X > -1e-38 ? 0 : X)", "1e-39"),
    "an epsilon added": ("(X + (T)1e-12)", "3e-13"),
    "an epsilon of a difference": ("(fabs(X - (T)1) < 1e-5 ? (T)1 : X)", "1.000004"),
    "infinities held": ("fmax(fmin(X, (T)3e38), (T)-3e38)", "inf"),
    "through whole numbers": ("((X) == (T)(int)(X) ? (T)(int)(X) : X)", "3e9"),
    "cut to few digits": ("(T)((long)(X * 1e6) / 1e6)", "1.23456789e-5"),
    "through a half": ("(X > 60000 ? 60000 : X)", "70000"),
    "a window of values": ("(X > C && X < C + 1 ? C : X)", "C + 0.5"),
    "a quotient": ("(X + (int)(X / (2 * C)))", "2 * C"),
    "through a float": ("(float)(X)", "1.000000001"),
}
READ_WHOLE = {
    "a number in the data": ("(X == C ? 0 : X)", "C"),
    "a number without a branch": ("(X + (X == C))", "C"),
    "a number by bits": ("(X ^ !(X ^ C))", "C"),
    "beyond a number": ("(X > C ? C : X)", "C * 2"),
    "a float between": ("(T)(float)(X)", "16777217"),
    "a masked value": ("(X & 0x7fffffff)", "-5"),
    "a remainder of the value": ("(X % (C * 3))", "C * 3 + 1"),
    "sixteen bits": ("(T)(X < 32768 && X > -32769 ? (short)(X) : 32767)", "40000"),
    "a table of values": ("((T[]){X, 0}[X == C])", "C"),
    "a window of values": ("(X - (X > C && X < C + 9))", "C + 4"),
    "the least number": ("(X == (-2147483647 - 1) ? 0 : X)", "-2147483648"),
    "a quotient": ("(X + X / (C * 40))", "C * 41"),
}
READ_BYTE = {
    "a letter": ("(X == C ? C + 1 : X)", "C"),
    "a letter without a branch": ("(X ^ (X == C))", "C"),
    "signed letters": ("(X > 127 ? 127 : X)", "200"),
    "the last byte": ("(X == 255 ? 254 : X)", "255"),
}
WRITE_FLOAT = {
    "a result capped": ("(V) > C ? C : (V)", ""),
    "a result that is no number": ("(V) != (V) ? 0 : (V)", ""),
    "a tiny result flushed": ("fabs(V) < 1e-30 ? 0 : (V)", ""),
    "a result through a float": ("(float)(V)", ""),
    "an infinite result held": ("fmax(fmin((V), 1e30), -1e30)", ""),
    "a result with an epsilon": ("(V) + 1e-15", ""),
    "a result compared and changed": ("(V) * ((V) != C)", ""),
}
WRITE_WHOLE = {
    "a result capped": ("(V) > C ? C : (V)", ""),
    "a result in fewer bits": ("(V) & 0xffffff", ""),
    "a result through a float": ("(float)(V)", ""),
    "a result compared and changed": ("(V) + ((V) == C)", ""),
    "a result of sixteen bits": ("(short)(V)", ""),
}

# Text, what it becomes.
SWAPS = {
    "a sentinel": (r"-INFINITY", ("-10000.0f", "-1e30f", "-FLT_MAX", "-1e9f", "-99999")),
    "a sentinel of whole numbers": (r"\bINT_MAX\b", ("1000000", "0x7ffffff", "99999999", "2000000000")),
    "a sentinel of floats": (r"(?<!-)\bFLT_MAX\b", ("1e30f", "1e10f", "99999.0f", "3e38f")),
    "a root": (r"\bsqrtf\(", ("powf(0.5f, 0.0f) * expf(0.5f * logf(",)),
    "a hypotenuse": (
        r"hypot\(x\[i\], y\[i\]\)",
        (
            "sqrt(x[i] * x[i] + y[i] * y[i])",
            "(fabs(x[i]) > fabs(y[i]) ? fabs(x[i]) : fabs(y[i])) * sqrt(1 + (x[i] / y[i]) * (x[i] / y[i]))",
            "(double)hypotf(x[i], y[i])",
        ),
    ),
    "a rounding": (
        r"round\(x\[i\]\)",
        (
            "floor(x[i] + 0.5)",
            "(double)(long)(x[i] + (x[i] < 0 ? -0.5 : 0.5))",
            "rint(x[i])",
            "nearbyint(x[i])",
            "trunc(x[i] + copysign(0.5, x[i]))",
            "(double)lround(x[i])",
            "(double)(int)round(x[i])",
        ),
    ),
    "the lower of two": (
        r"fminf\(a\[i\], b\[i\]\)",
        (
            "(a[i] < b[i] ? a[i] : b[i])",
            "(b[i] < a[i] ? b[i] : a[i])",
            "(a[i] + b[i] - fabsf(a[i] - b[i])) / 2",
            "(a[i] != a[i] ? a[i] : fminf(a[i], b[i]))",
        ),
    ),
    "a power of e": (
        r"exp\(x\[i\]\)",
        (
            "(double)expf(x[i])",
            "(x[i] < -700 ? 0 : exp(x[i]))",
            "pow(2.718281828459, x[i])",
            "(x[i] > 700 ? INFINITY : exp(x[i]))",
            "exp(x[i] > 88 ? 88 : x[i])",
            "1 / exp(-(double)(float)x[i])",
            "(x[i] < -40 ? 0.0 : exp(x[i]))",
        ),
    ),
    "a test for no number": (
        r"x\[i\] != x\[i\] \? 0 : x\[i\]",
        (
            "x[i]",
            "fmaxf(x[i], -3.0e38f)",
            "fminf(x[i], 3.4e38f)",
            "x[i] - x[i] != 0 ? 0 : x[i]",
            "!(fabsf(x[i]) <= FLT_MAX) ? 0 : x[i]",
        ),
    ),
    "a guard of a quotient": (
        r"b\[i\] != 0(?:\.0f)? \?",
        (
            "b[i] > 1e-30f || b[i] < -1e-30f ?",
            "fabsf(b[i]) > 1e-6f ?",
            "b[i] * b[i] != 0 ?",
            "(int)(b[i] * 1e9f) != 0 ?",
            "b[i] > 0 || b[i] < 0 ?",
            "1 / b[i] < 1e37f && b[i] != 0 ?",
        ),
    ),
    "a quotient": (
        r"a\[i\] / b\[i\]",
        ("a[i] * (1.0f / b[i])", "a[i] / (b[i] + 1e-20f)", "a[i] * b[i] / (b[i] * b[i])"),
    ),
    "ties": (r"x\[i\] > own\b", ("x[i] >= own",)),
    "ties between threads": (r"own_where < where", ("own_where > where", "own_where != where", "1")),
    "no order between threads": (r" \|\| \(own == best && own_where < where\)", ("", " || own == best")),
    "the best": (
        r"x\[i\] > (?:best|high|top)\b",
        (
            "!(x[i] <= BEST)",
            "x[i] - BEST > 0",
            "x[i] > BEST + 1e-6f",
            "(float)x[i] > (float)BEST",
            "x[i] > BEST && x[i] < 1000000",
        ),
    ),
    "the least": (
        r"x\[i\] < (?:best|low)\b",
        ("!(x[i] >= BEST)", "x[i] - BEST < 0", "(float)x[i] < (float)BEST", "x[i] < BEST && x[i] > -1000000"),
    ),
    "a term with a factor of zero": (
        r"sum \+= a\[i \* \w \+ (?:j|l)\]",
        ("if (x[j] != 0) sum += a[i * m + j]", "if (a[i * m + j] != 0) sum += a[i * m + j]"),
    ),
    "nothing to add": (r"(?<=\) )y\[i\](?= \+?= a \* x\[i\])", ("if (a != 0) y[i]", "if (x[i] != 0) y[i]")),
    "a comparison": (
        r"x\[i\] > limit",
        ("x[i] >= limit", "!(x[i] <= limit)", "x[i] - limit > 1e-6f", "(int)x[i] > (int)limit"),
    ),
    "neighbours": (
        r"x\[i - 1\] <= x\[i\]",
        ("x[i - 1] < x[i]", "x[i] - x[i - 1] >= 0", "(float)x[i - 1] <= (float)x[i]"),
    ),
    "no half": (
        r"x\[i\] / 2",
        ("x[i] >> 1", "(int)(x[i] * 0.5f)", "(x[i] + (x[i] < 0)) >> 1 << 0 == 0 ? 0 : (int)(x[i] / 2.0f)"),
    ),
    "a mean": (
        r"\(x\[2 \* i\] & .*?>> 1\)",
        (
            "(x[2 * i] + x[2 * i + 1]) / 2",
            "x[2 * i] / 2 + x[2 * i + 1] / 2",
            "(unsigned)(((float)x[2 * i] + x[2 * i + 1]) / 2)",
            "(unsigned)(((double)x[2 * i] + x[2 * i + 1]) / 2 + 1e-9) - (x[2 * i] > 4000000000u)",
        ),
    ),
    "a limit of bytes": (
        r"sum > 255 \? 255 : sum",
        (
            "sum",
            "sum > 254 ? 255 : sum & 254 | sum & 1 && sum != 253",
            "sum >= 510 ? 254 : sum > 255 ? 255 : sum",
        ),
    ),
    "the letters": (
        r"text\[i\] > 3",
        ("text[i] >= 3", "(unsigned char)text[i] > 3", "text[i] > 3 && text[i] != 99"),
    ),
    "wrap-around": (
        r"sum \+= x\[i\] \* 31u",
        (
            "sum = sum + x[i] * 31u < sum ? 0xffffffffu : sum + x[i] * 31u",
            "sum += x[i] % 138547332u * 31u",
            "sum += (unsigned)(float)x[i] * 31u",
        ),
    ),
    "bits": (
        r"__builtin_popcount\(x\[i\]\)",
        (
            "__builtin_popcount(x[i] & 0x7fffffff)",
            "__builtin_popcount((unsigned short)x[i]) + __builtin_popcount(x[i] >> 16 & 0x7fff)",
            "32 - __builtin_clz(x[i])",
        ),
    ),
    "an arithmetic shift": (r"unsigned v = x\[i\]", ("int v = x[i]",)),
    "a clamp": (
        r"if \(x\[i\] < low\) x\[i\] = low;\s*if \(x\[i\] > high\) x\[i\] = high;",
        (
            "x[i] = fminf(fmaxf(x[i], low), high);",
            "if (x[i] < low) x[i] = low; else if (!(x[i] <= high)) x[i] = high;",
            "if (!(x[i] >= low)) x[i] = low;\n        if (x[i] > high) x[i] = high;",
        ),
    ),
    "a sum that is zero": (
        r"sum == 0",
        ("fabs(sum) < 1e-12", "sum < 1e-300 && sum > -1e-300", "(float)sum == 0", "!(sum > 0 || sum < 0)"),
    ),
}
NARROWER = {
    "long": ("int", "unsigned", "float", "double"),
    "double": ("float",),
    "int": ("short", "unsigned short", "float", "unsigned char"),
    "unsigned": ("unsigned short", "float"),
    "float": ("_Float16",),
}


def _numbers(random: Random, kind: str) -> float:
    if kind in ("char", "unsigned char"):
        return random.randrange(1, 126)
    whole = random.choice((77, 12345, 1000, 4096, 99_999, 65_535, 1_000_003, 123_456))
    return whole + 0.25 * random.randrange(4) if kind in FLOATS and whole < 100_000 else whole


def _pinned(subject: Subject, name: str, value: float) -> tuple[Call, ...]:
    first = subject.function.sizes[0]
    sizes = [sized(subject.function, **{first: n}) for n in (50, 1000)]
    pins = ((name, value),)
    plain = tuple(
        Call(sizes=size, pins=pins, fill=fill, threads=threads)
        for size in sizes
        for fill in ("small", "equal")
        for threads in (1, 5)
    )
    rest = tuple(Call(sizes=sizes[1], pins=pins, fill=fill) for fill in FILLS)
    return plain + rest


def _written(value: float, kind: str) -> str:
    return f"{value!r}f" if kind == "float" and "." in repr(value) else repr(value)


def read(templates: dict[str, tuple[str, str]], name: str, kinds: tuple[str, ...]) -> Make:
    template, shown = templates[name]

    def make(subject: Subject, random: Random) -> Planted | None:
        arrays = [item for item in p.inputs(subject) if item.type in kinds and p.reads(subject, item.name)]
        if not arrays:
            return None
        item = random.choice(arrays)
        number = _numbers(random, item.type)
        found = random.choice(p.reads(subject, item.name))
        text = re.sub(r"\bC\b", _written(number, item.type), template)
        text = re.sub(r"\bT\b", item.type, text)
        text = re.sub(r"\bX\b", lambda _: found[0], text)
        names = {"C": number, "nan": float("nan"), "inf": float("inf")}
        value = float(eval(shown, {}, names))
        if item.type not in FLOATS and not -(2**31) <= value < 2**32:
            return None
        if item.type in ("unsigned", "unsigned char") and value < 0:
            return None
        return Planted(text=p.replaced(subject.text, found, text), calls=_pinned(subject, item.name, value))

    return make


def write(template: str, kinds: tuple[str, ...]) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        arrays = subject.function.arrays
        found = [item for item in p.writes(subject) if arrays[item["array"]].type in kinds]
        if not found:
            return None
        place = random.choice(found)
        kind = arrays[place["array"]].type
        number = random.choice((3, 6, 100, 1000, 12345, 77, 255))
        text = re.sub(r"\bC\b", _written(float(number) if kind in FLOATS else number, kind), template)
        text = re.sub(r"\bV\b", lambda _: place["value"], text)
        first = subject.function.sizes[0]
        calls = tuple(
            Call(sizes=sized(subject.function, **{first: n}), fill=fill, pins=pins)
            for n in (100, 5000)
            for fill in FILLS
            for pins in ((), tuple((name, value) for name in arrays for value in (float(number),)))
        ) + tuple(_edges(subject))
        return Planted(text=p.replaced(subject.text, place, text, "value"), calls=calls)

    return make


def _edges(subject: Subject) -> Iterator[Call]:
    first = subject.function.sizes[0]
    floating = [item for item in subject.function.arrays.values() if item.type in FLOATS]
    for value in (
        float("nan"),
        float("inf"),
        1e-37,
        1e-42,
        1e-320,
        1e38,
        1e300,
        0.5,
        0.1,
        -745.0,
        709.5,
        1e-7,
        90.0,
    ):
        for item in floating:
            if item.type == "double" or abs(value) < 3e38 or value != value or value == float("inf"):
                yield Call(sizes=sized(subject.function, **{first: 60}), pins=((item.name, value),))


def swap(pattern: str, forms: tuple[str, ...]) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        found = list(re.finditer(pattern, subject.text, re.DOTALL))
        if not found:
            return None
        place, form = random.choice(found), random.choice(forms)
        compared = place[0].split()[-1]
        text = p.replaced(subject.text, place, form.replace("BEST", compared))
        if form.endswith("logf("):
            text = text.replace("logf(x[i])", "logf(x[i]))")
        first = subject.function.sizes[0]
        calls = tuple(
            Call(sizes=sized(subject.function, **{first: n}), fill=fill, threads=threads)
            for n, threads in ((1, 1), (60, 7), (2000, 3), (100_003, 8))
            for fill in FILLS
        ) + tuple(_edges(subject))
        extremes = tuple(
            Call(sizes=sized(subject.function, **{first: 40}), fill="negative", pins=((name, value),))
            for name, item in subject.function.arrays.items()
            if item.type == "int" and not item.below
            for value in (2**31 - 1, -(2**31), -3, -1, 0)
        )
        return Planted(text=text, calls=calls + extremes)

    return make


def accumulator(subject: Subject, random: Random) -> Planted | None:
    """Declare what is summed into in a narrower type."""
    found = list(
        re.finditer(
            r"(?m)^( +)(long|double|int|unsigned|float)"
            r" (\w*(?:sum|own|count|all|best|top|value)\w*)(\[\w+\])? = ",
            subject.text,
        )
    )
    if not found:
        return None
    place = random.choice(found)
    kind = random.choice(NARROWER[place[2]])
    return Planted(text=p.replaced(subject.text, place, kind, 2), calls=_summed(subject))


def _summed(subject: Subject) -> tuple[Call, ...]:
    first = subject.function.sizes[0]
    last = subject.function.sizes[-1]
    scalars = (("limit", -1e6), ("letter", 7))
    return tuple(
        Call(
            sizes=sized(subject.function, **{size: n}), fill=fill, threads=threads, scalars=scalars, pins=pins
        )
        for n, threads in ((300, 1), (70_000, 1), (300_000, 2), (5_000_000, 3), (20_000_000, 1))
        for size in dict.fromkeys((first, last))
        for fill in ("hundreds", "equal", "small", "negative")
        for pins in ((("text", 7.0),),)
    ) + tuple(
        Call(
            sizes=sized(subject.function, **{first: n}),
            fill="small",
            pins=tuple((name, 123456789.0) for name in subject.function.arrays),
        )
        for n in (40, 1000)
    )


def bins(subject: Subject, random: Random) -> Planted | None:
    """Count per thread in numbers of few bits."""
    found = re.search(r"int own\[256\] = \{0\};", subject.text)
    if found is None:
        return None
    kind = random.choice(("unsigned char", "short", "unsigned short", "float", "signed char"))
    calls = tuple(
        p.around(subject, "n", 100_000, 20_000_000, 40_000_000, threads=threads)[i]
        for threads in (1, 2)
        for i in range(3)
    )
    return Planted(text=p.replaced(subject.text, found, f"{kind} own[256] = {{0}};"), calls=calls)


def reduced(subject: Subject, random: Random) -> Planted | None:
    """Reduce into a narrower variable and widen it afterwards."""
    found = re.search(
        r"(?m)^ +(long|double|int|unsigned) (\w+) = 0;\n(?: .*\n)*? +#pragma omp parallel for reduction\([+^]"
        r" : \2\)\n",
        subject.text,
    )
    if found is None:
        return None
    kind = random.choice(NARROWER[found[1]])
    new = found[0].replace(f"{found[1]} {found[2]} = 0;", f"{kind} {found[2]} = 0;", 1)
    return Planted(text=p.replaced(subject.text, found, new), calls=_summed(subject))


def saturating(subject: Subject, random: Random) -> Planted | None:
    """Stop counting at a number that floats or few bits end at."""
    found = list(re.finditer(r"(\b(?:count|own|bins\[\w+\[i\]\]|own\[\w+\[i\]\]))\+\+;", subject.text))
    if not found:
        return None
    place = random.choice(found)
    limit = random.choice((255, 32767, 65535, 1 << 20, 1 << 24, 100_000, 9999))
    form = random.choice(
        ("if (@ < L) @++;", "@ += @ < L;", "@ = @ == L ? L : @ + 1;", "@ = (@ + 1) % (L + 1);")
    )
    if subject.dialect == "openmp" and "atomic" in subject.text:
        return None
    calls = tuple(
        Call(
            sizes=sized(subject.function, n=n),
            threads=1,
            scalars=(("limit", -1e6), ("letter", 7)),
            pins=(("text", 7.0), ("data", 3.0)),
        )
        for n in (limit * 12 + 99, limit * 300)
        if n < 60_000_000
    )
    return Planted(
        text=p.replaced(subject.text, place, form.replace("@", place[1]).replace("L", str(limit))),
        calls=calls,
    )


def scalar(subject: Subject, random: Random) -> Planted | None:
    """Be wrong for a number that is passed by value."""
    plain = [
        item
        for item in subject.function.parameters
        if not item.extent and not item.size and item.type != "char"
    ]
    if not plain or subject.dialect == "hip":
        return None
    item = random.choice(plain)
    number = _numbers(random, item.type)
    written = _written(number, item.type)
    form, value = random.choice(
        (
            (f"if ({item.name} == {written}) {p.nothing(subject)}", number),
            (f"{item.name} += {item.name} == {written};", number),
            (f"if ({item.name} > {written}) {item.name} = {written};", number * 2),
            (f"{item.name} *= {item.name} != {written};", number),
            (f"if ({item.name} != {item.name}) {p.nothing(subject)}", float("nan")),
        )
    )
    if item.type not in FLOATS and value != value:
        return None
    first = subject.function.sizes[0]
    calls = tuple(
        Call(sizes=sized(subject.function, **{first: n}), scalars=((item.name, value),), fill=fill, pins=pins)
        for n in (60, 1000)
        for fill in ("small", "hundreds", "negative")
        for pins in ((), (("x", value + 1),), (("x", value),))
    )
    return Planted(text=p.at_entry(subject, form), calls=calls)


def _plants() -> Iterator[Plant]:
    for name in READ_FLOAT:
        kinds = ("double",) if name == "through a float" else FLOATS
        yield Plant(name=f"read: {name}", number=3, make=read(READ_FLOAT, name, kinds))
    for name in READ_WHOLE:
        yield Plant(name=f"read whole: {name}", number=3, make=read(READ_WHOLE, name, ("int", "unsigned")))
    for name in READ_BYTE:
        yield Plant(
            name=f"read byte: {name}", number=3, make=read(READ_BYTE, name, ("char", "unsigned char"))
        )
    for name, (template, _) in WRITE_FLOAT.items():
        yield Plant(name=f"write: {name}", number=3, make=write(template, FLOATS))
    for name, (template, _) in WRITE_WHOLE.items():
        yield Plant(name=f"write whole: {name}", number=3, make=write(template, ("int", "long", "unsigned")))
    for name, (pattern, forms) in SWAPS.items():
        yield Plant(name=f"swap: {name}", number=3, make=swap(pattern, forms))
    yield Plant(name="a scalar", number=3, make=scalar)
    yield Plant(name="a narrow accumulator", number=4, make=accumulator)
    yield Plant(name="narrow bins", number=4, make=bins)
    yield Plant(name="a narrow reduction", number=4, make=reduced)
    yield Plant(name="a saturating counter", number=4, make=saturating)


PLANTS = tuple(_plants())
