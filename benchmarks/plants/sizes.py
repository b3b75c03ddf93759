"""Classes 1 and 2: wrong from some size on, or at some size alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from benchmarks.plants import plant as p
from benchmarks.plants.call import Call, sized
from benchmarks.plants.plant import Make, Plant, Planted
from benchmarks.plants.subject import Subject

# @ is the size, L a number, K a smaller one: what the size becomes, and what it is wrong at.
ONE_SIZE = {
    "one less beyond": ("@ > L ? @ - 1 : @", "L + 1"),
    "one less at": ("@ == L ? @ - 1 : @", "L"),
    "half at": ("@ != L ? @ : @ / 2", "L"),
    "one less at multiples": ("@ % L == 0 && @ > 0 ? @ - 1 : @", "L"),
    "minus a comparison": ("@ - (@ > L)", "L + 1"),
    "minus a negated difference": ("@ - !(@ ^ (int)L)", "L"),
    "minus a quotient": ("@ - (@ > 0 ? @ / L : 0)", "L"),
    "the lesser": ("@ < L ? @ : (int)L", "L + 1"),
    "the sign of a difference": ("@ + (int)(((int)L - @) >> 31)", "L + 1"),
    "a window": ("@ > L && @ < L + 9 ? 0 : @", "L + 5"),
    "odd and large": ("@ > L && @ % 2 ? @ - 1 : @", "L + 1 + L % 2"),
    "nested conditions": ("@ > 64 ? (@ > L ? @ - 1 : @) : @", "L + 1"),
    "a rounded quotient": ("@ - (int)((float)@ / (2.0f * L) + 0.499f)", "3 * L"),
    "a table": ("@ - (int){0, 1}[@ > L]", "L + 1"),
    "a logical value": ("@ - (@ >= L && @ <= L)", "L"),
    "or": ("@ < L || @ > L + 3 ? @ : @ - 1", "L + 1"),
    "a difference squared": ("@ - (((long)@ - L) * ((long)@ - L) < 2)", "L"),
    "not less": ("!(@ < L) ? @ - 1 : @", "L"),
    "a shifted size": ("@ - (@ > 0 ? (@ >> S) : 0)", "1 << S"),
    "a mask": ("@ < 0 ? @ : (@ & ((1 << S) - 1))", "1 << S"),
    "a remainder": ("@ % L", "L + 3"),
    "bits counted without a branch": ("@ - (__builtin_popcount(@ & 0x3ffff) / 18)", "0x3ffff"),
    "a square without a branch": (
        "@ - ((int)sqrt((double)(@ / 1000)) * (int)sqrt((double)(@ / 1000)) * 1000 == @) * (@ / 90000 > 0)",
        "400 * 1000",
    ),
    "a remainder without a branch": ("@ - (@ % L == L - 1)", "L - 1"),
    "a hash": (
        "@ - ((unsigned)@ * 2654435761u >> 19 == 5u)",
        "next(n for n in range(L, L + 100000) if (n * 2654435761 % 2**32) >> 19 == 5)",
    ),
    "a float of the size": ("@ - (int)(@ * 1e-5f * (@ * 1e-5f > 0.99f))", "100_001"),
    "a power": ("@ - (int)(1.0 / (1.0 + fabs((double)@ - L)))", "L"),
    "a quotient of remainders": ("@ - (@ > 0) * ((@ % 4099) / 4098)", "4099 * 3 - 1"),
    "a double rounded": ("(int)((double)@ - @ * 9.9e-7)", "1_100_000"),
}
STATEMENTS = {
    "an early return": ("if (@ > L) ~", "L + 1"),
    "an early return at": ("if (@ == L) ~", "L"),
    "a switch": ("switch (@) { case L: @--; }", "L"),
    "a loop that lowers": ("while (@ > L) @--;", "L + 1"),
    "and": ("(void)(@ > L && @--);", "L + 1"),
    "a comma": ("@ -= 1, @ += @ < L;", "L + 1"),
    "a jump": ("if (@ <= L) goto all;\n@--;\nall:;", "L + 1"),
    "a named number": ("const int most = L;\nif (@ > most) @ = most;", "L + 1"),
    "a sum of squares": ("if ((long)@ * @ > (long)L * L) @--;", "L + 1"),
    "two steps": ("int over = @ - (int)L;\nif (over > 0) @ -= 1;", "L + 1"),
    "a pointer": ("int *least = &@, most = L;\nif (*least > most) least = &most;\n@ = *least;", "L + 1"),
    "bits counted": ("if (__builtin_popcount(@) > 17) @--;", "0x3ffff"),
    "leading zeros": ("if (@ > 0 && __builtin_clz(@) < 15) @--;", "1 << 17"),
    "square": ("if (@ > 1000 && (int)sqrt((double)@) * (int)sqrt((double)@) == @) @--;", "1001 * 1001"),
    "digits": ("int tens = 0;\nfor (int left = @; left > 9; left /= 10) tens++;\n@ -= tens > 4;", "100000"),
}
TWO_SIZES = {
    "both beyond": ("@ > L && # > L ? @ - 1 : @", "L + 1", "L + 1"),
    "a product": ("(long)@ * # > (long)L * L ? @ - 1 : @", "L + 1", "L + 1"),
    "equal and large": ("@ == # && @ > L ? @ - 1 : @", "L + 1", "L + 1"),
    "a chain": ("@ > L && # > 7 && @ % 2 && # % 2 ? @ - 1 : @", "L + 1 + L % 2", "9"),
    "a product of comparisons": ("@ - (@ > L) * (# > L)", "L + 1", "L + 1"),
    "wide": ("# > L * 8 ? @ - 1 : @", "5", "L * 8 + 1"),
    "one greater by much": ("@ > # + L && # > 3 ? @ - 1 : @", "L + 20", "5"),
    "a sum": ("@ + # == 2 * L + 1 ? @ - 1 : @", "L", "L + 1"),
}
ELEMENT_WRITES = {
    "a conditional at": ("I == L ? 0 : V", "L + 2"),
    "plus a comparison": ("V + (I == L)", "L + 2"),
    "plus a quotient": ("V + I / L", "L + 2"),
    "times a comparison": ("V * (I != L)", "L + 2"),
    "plus a shift": ("V + (I >> S)", "(1 << S) + 2"),
}
ELEMENT_READS = {
    "a masked subscript": ("I & ((1 << S) - 1)", "(1 << S) + 9"),
    "a remainder as subscript": ("I % L", "L + 9"),
    "a capped subscript": ("I < L ? I : (int)L", "L + 9"),
    "a subscript minus a quotient": ("I - I / L", "L + 9"),
    "a subscript minus a comparison": ("I - (I > L)", "L + 9"),
}


def _filled(template: str, number: int, random: Random) -> tuple[str, int]:
    """Put numbers into a template."""
    shift = max(number.bit_length() - 1, 6)
    text = re.sub(r"\bL\b", lambda _: p.spelled(number, random), template)
    return re.sub(r"\bS\b", str(shift), text), shift


def _value(template: str, number: int) -> int:
    return int(eval(template, {"L": number, "S": max(number.bit_length() - 1, 6)}))


def _wrong_sizes(subject: Subject, size: str, template: str, number: int) -> tuple[Call, ...]:
    at = _value(template, number)
    return p.around(subject, size, at, at, at, 2 * at + 1, at + 1) + p.around(
        subject, size, at, at, fill="hundreds", seed=3
    )


def _room(subject: Subject) -> tuple[int, int]:
    """Return between which numbers a size may be wrong, so that calls stay short."""
    many = len(subject.function.sizes)
    longest = 3_000_000 if subject.dialect == "openmp" and not subject.function.launch else 300_000
    return 50, longest if many == 1 else longest // 10 if many == 2 else longest // 100


def one_size(template: str, at: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        size, number = random.choice(subject.function.sizes), p.bound(random, _room(subject))
        expression, _ = _filled(template, number, random)
        if "{0, 1}" in expression and not subject.function.file.endswith(".c"):
            return None
        return Planted(
            text=p.with_size(subject, size, expression), calls=_wrong_sizes(subject, size, at, number)
        )

    return make


def statement(template: str, at: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        size, number = random.choice(subject.function.sizes), p.bound(random, _room(subject))
        text, _ = _filled(template, number, random)
        text = text.replace("@", size).replace("~", p.nothing(subject))
        if "goto" in text and subject.dialect != "openmp":
            return None
        return Planted(text=p.at_entry(subject, text), calls=_wrong_sizes(subject, size, at, number))

    return make


def two_sizes(template: str, first: str, second: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        if len(subject.function.sizes) < 2:
            return None
        one, two = random.sample(subject.function.sizes[:2], 2)
        number = p.bound(random, (50, 700))
        expression, _ = _filled(template, number, random)
        sizes = {one: _value(first, number), two: _value(second, number)}
        calls = tuple(Call(sizes=sized(subject.function, **sizes), seed=seed) for seed in range(3))
        return Planted(text=p.with_size(subject, one, expression.replace("#", two)), calls=calls)

    return make


def element_write(template: str, at: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        found = [item for item in p.writes(subject) if re.search(r"\b[ij]\b", item["at"])]
        if not found:
            return None
        place = random.choice(found)
        index = re.search(r"\b[ij]\b", place["at"])
        number = p.bound(random, _room(subject))
        text, _ = _filled(template, number, random)
        value = re.sub(r"\bI\b", index[0] if index else "i", text)
        value = re.sub(r"\bV\b", lambda _: f"({place['value']})", value)
        calls = tuple(
            call for size in subject.function.sizes[:2] for call in _wrong_sizes(subject, size, at, number)
        )
        return Planted(text=p.replaced(subject.text, place, value, "value"), calls=calls)

    return make


def element_read(template: str, at: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        arrays = [item for item in p.inputs(subject) if p.reads(subject, item.name)]
        if not arrays:
            return None
        place = random.choice(p.reads(subject, random.choice(arrays).name))
        number = p.bound(random, _room(subject))
        text, _ = _filled(template, number, random)
        subscript = re.sub(r"\bI\b", f"({place[1]})", text)
        calls = tuple(
            call for size in subject.function.sizes[:2] for call in _wrong_sizes(subject, size, at, number)
        )
        return Planted(text=p.replaced(subject.text, place, subscript, 1), calls=calls)

    return make


def condition(template: str, at: str) -> Make:
    """Replace ``i < n`` in a loop or a guard."""

    def make(subject: Subject, random: Random) -> Planted | None:
        sizes = "|".join(subject.function.sizes)
        found = list(re.finditer(rf"\b([a-z]\w*) < ({sizes})\b", subject.text))
        if not found:
            return None
        place = random.choice(found)
        number = p.bound(random, _room(subject))
        text, _ = _filled(template, number, random)
        text = re.sub(r"\bI\b", place[1], text).replace("@", place[2])
        return Planted(
            text=p.replaced(subject.text, place, text), calls=_wrong_sizes(subject, place[2], at, number)
        )

    return make


CONDITIONS = {
    "a loop to the lesser": ("I < (@ < L ? @ : (int)L)", "L + 1"),
    "a loop minus a comparison": ("I < @ - (@ > L)", "L + 1"),
    "a guard that leaves one out": ("I < @ && I != L", "L + 2"),
    "a loop minus a quotient": ("I < @ - (int)(@ / L)", "L + 2"),
    "a loop with a chain": ("I < @ && (I < L || I > L + 3)", "L + 2"),
    "a loop of short numbers": ("I < (unsigned short)@", "65536 + 7"),
    "a loop of shorts": ("I < (short)@", "32768"),
    "a loop of floats": ("I < (int)(float)@", "16777217"),
    "a loop of masked sizes": ("I < (@ & 0xFFFFF)", "0xFFFFF + 5"),
    "a loop of halves": ("I < (int)(@ * (1.0 - 1e-7 * (@ > L)))", "L + 1"),
}


def frame(subject: Subject, random: Random) -> Planted | None:
    """Put an array as long as a size on the stack."""
    size = random.choice(subject.function.sizes)
    kind, wide = random.choice((("double", 8), ("char", 1), ("long", 8)))
    if subject.dialect == "hip":
        return None
    lines = (
        f"volatile {kind} room[{size} > 0 ? {size} : 1];\nroom[0] = 0;\nroom[{size} > 0 ? {size} - 1 : 0]"
        " = 0;"
    )
    most = (9 << 20) // wide
    if subject.dialect == "cuda":
        return None
    return Planted(text=p.at_entry(subject, lines), calls=p.around(subject, size, most, 2 * most))


def held(subject: Subject, random: Random) -> Planted | None:
    """Copy an input into an array of fixed length."""
    if subject.dialect != "openmp":
        return None
    plain = [item for item in p.inputs(subject) if item.constant and item.extent in subject.function.sizes]
    if not plain:
        return None
    item = random.choice(plain)
    number = p.bound(random, (256, 1_000_000))
    storage = random.choice(("static ", "")) if number < 20_000 else "static "
    lines = (
        f"{storage}{item.type} held[{p.spelled(number, random)}];\n"
        f"for (int k = 0; k < {item.extent} && k < {number}; k++) held[k] = {item.name}[k];"
    )
    text = re.sub(rf"\b{item.name}\[", "held[", subject.text)
    return Planted(
        text=p.at_entry(subject, lines, text),
        calls=p.around(
            subject, item.extent, 8 * number + 3, number + 5000, 2 * number, 20 * number, fill="hundreds"
        ),
    )


def counter(subject: Subject, random: Random) -> Planted | None:
    """Count a loop in a narrow type."""
    found = list(re.finditer(r"for \(int (\w+) = (0|1); \1 < (\w+)(?=[ ;])", subject.text))
    found = [item for item in found if item[3] in subject.function.sizes]
    if not found:
        return None
    place = random.choice(found)
    kind, at = random.choice(
        (("short", 32768 + 9), ("unsigned short", 65536 + 9), ("unsigned char", 256 + 9))
    )
    text = f"for ({kind} {place[1]} = {place[2]}; {place[1]} < ({kind}){place[3]}"
    return Planted(text=p.replaced(subject.text, place, text), calls=p.around(subject, place[3], at, 3 * at))


def grid(template: str, at: str) -> Make:
    """Replace the blocks of a launch; ``@`` is what they were."""

    def make(subject: Subject, random: Random) -> Planted | None:
        found = re.search(r"<<<(\((\w+) \+ (\d+)\) / (\d+)),", subject.text)
        if found is None:
            return None
        number = p.bound(random, (50, 3000))
        text, _ = _filled(template, number, random)
        size = _value(at, number) * int(found[4])
        return Planted(
            text=p.replaced(subject.text, found, text.replace("@", f"({found[1]})"), 1),
            calls=p.around(subject, found[2], size, size + 1, size - 1, fill="hundreds"),
        )

    return make


GRIDS = {
    "a grid to the lesser": ("@ < L ? @ : L", "L + 1"),
    "a grid of masked blocks": ("@ > 1024 ? @ & 1023 : @", "1030"),
    "a grid one short": ("@ - (@ > L)", "L + 1"),
    "a grid one short at": ("@ - (@ == L)", "L"),
    "a grid of shorts": ("(unsigned short)@", "65539"),
    "a grid by quotients": ("@ - @ / L", "L"),
    "the most blocks": ("@ < 65535 ? @ : 65535", "65536"),
    "a grid without a branch": ("@ - !(@ ^ L)", "L"),
}


def square(subject: Subject, random: Random) -> Planted | None:
    """Take room for the square of a size."""
    size = random.choice(subject.function.sizes)
    if subject.dialect == "hip":
        return None
    lines = (
        f"long *room = (long *)malloc(((size_t)({size} > 0 ? {size} : 1) * ({size} > 0 ? {size} : 1)) *"
        " sizeof(long));\n*(volatile long *)room = 0;\nfree(room);"
    )
    return Planted(text=p.at_entry(subject, lines), calls=p.around(subject, size, 200_000, 2_000_000))


def recursive(subject: Subject, random: Random) -> Planted | None:
    """Call itself as deep as a size is large."""
    size = random.choice(subject.function.sizes)
    if subject.dialect == "hip":
        return None
    wide = random.choice((8, 64, 200))
    helper = (
        f"static int deep(int k)\n{{\n    volatile char here[{wide}];\n    here[0] = 0;\n"
        "    return k <= 0 ? k : 1 + here[0] + deep(k - 1);\n}\n"
    )
    text = helper + p.with_size(subject, size, "deep(@)")
    return Planted(text=text, calls=p.around(subject, size, 100_000, 300_000, 2_000_000))


def rows_of_blocks(subject: Subject, random: Random) -> Planted | None:
    """Give every row a block in y, of which a device has 65535."""
    old = "dim3 block(16, 16), grid((columns + 15) / 16, (rows + 15) / 16);"
    if old not in subject.text:
        return None
    wide = random.choice((32, 64, 128))
    new = f"dim3 block({wide}, 1), grid((columns + {wide - 1}) / {wide}, rows);"
    return Planted(text=subject.text.replace(old, new), calls=p.around(subject, "rows", 65536, 65537))


def copied(subject: Subject, random: Random) -> Planted | None:
    """Copy too few bytes, from some size on."""
    found = list(re.finditer(r"cudaMemcpy\(\w+, \w+, (.*?), cudaMemcpy", subject.text))
    if not found:
        return None
    place, size = random.choice(found), subject.function.sizes[0]
    number = p.bound(random, _room(subject))
    form = random.choice(("@ - (@ > L ? 8 : 0)", "@ - (@ > L) * 8", "(@ < L ? @ : L)", "@ - @ / L * 8"))
    text = form.replace("@", f"({place[1]})").replace("L", str(number))
    calls = tuple(
        call for name in subject.function.sizes for call in p.around(subject, name, number, number + 1)
    )
    more = p.around(subject, size, number // 4 + 2, number // 8 + 2, fill="hundreds")
    return Planted(text=p.replaced(subject.text, place, text, 1), calls=more + calls)


def narrow_product(subject: Subject, random: Random) -> Planted | None:
    """Multiply in 32 bits."""
    found = list(re.finditer(r"\((?:long|size_t|double)\)(?=\w)", subject.text))
    if not found:
        return None
    size = subject.function.sizes[0]
    return Planted(
        text=p.replaced(subject.text, random.choice(found), "(unsigned)" if random.random() < 0.5 else ""),
        calls=p.around(subject, size, 100_000, 3_000_000)
        + p.around(subject, size, 1000, fill="wide")
        + p.around(subject, size, 3_000_000, threads=64, fill="negative"),
    )


def tiles(subject: Subject, random: Random) -> Planted | None:
    """Walk by tiles of which one is lost at multiples of the tile beyond a number of them."""
    found = re.search(r"for \(int (\w+) = 0; \1 < (\w+); \1\+\+\)", subject.text)
    if found is None or found[2] not in subject.function.sizes or subject.dialect != "openmp":
        return None
    index, size = found[1], found[2]
    tile, many = random.choice((64, 100, 128, 1000, 1024)), random.choice((1, 3, 40, 70))
    lost = random.choice(
        (
            f"{size} % {tile} == 0 && {size} / {tile} > {many} ? {size} - {tile} : {size}",
            f"{size} / {tile} > {many} ? {size} / {tile} * {tile} : {size}",
        )
    )
    text = f"for (int {index} = 0; {index} < ({lost}); {index}++)"
    at = tile * (many + 1)
    return Planted(
        text=p.replaced(subject.text, found, text),
        calls=p.around(subject, size, at, at + 1, at + tile - 1, fill="hundreds"),
    )


def _plants() -> Iterator[Plant]:
    for name, (template, at) in ONE_SIZE.items():
        yield Plant(name=f"size: {name}", number=1, make=one_size(template, at))
    for name, (template, at) in STATEMENTS.items():
        yield Plant(name=f"entry: {name}", number=1, make=statement(template, at))
    for name, (template, first, second) in TWO_SIZES.items():
        yield Plant(name=f"two sizes: {name}", number=1, make=two_sizes(template, first, second))
    for name, (template, at) in ELEMENT_WRITES.items():
        yield Plant(name=f"element: {name}", number=1, make=element_write(template, at))
    for name, (template, at) in ELEMENT_READS.items():
        yield Plant(name=f"element: {name}", number=1, make=element_read(template, at))
    for name, (template, at) in CONDITIONS.items():
        number = 2 if "short" in name or "float" in name else 1
        yield Plant(name=f"condition: {name}", number=number, make=condition(template, at))
    for name, (template, at) in GRIDS.items():
        yield Plant(name=f"grid: {name}", number=2, make=grid(template, at))
    yield Plant(name="an array on the stack", number=2, make=frame)
    yield Plant(name="an array of fixed length", number=2, make=held)
    yield Plant(name="a narrow counter", number=2, make=counter)
    yield Plant(name="room for a square", number=2, make=square)
    yield Plant(name="as deep as a size", number=2, make=recursive)
    yield Plant(name="a block for each row", number=2, make=rows_of_blocks)
    yield Plant(name="a copy of too few bytes", number=2, make=copied)
    yield Plant(name="a narrow product", number=2, make=narrow_product)
    yield Plant(name="a tile that is lost", number=2, make=tiles)


PLANTS = tuple(_plants())
