"""Classes 5 and 6: wrong on some numbers of threads, and updates that are lost without a data race."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from benchmarks.plants import plant as p
from benchmarks.plants.call import Call, sized
from benchmarks.plants.plant import Make, Plant, Planted
from benchmarks.plants.subject import Subject

LOOP = re.compile(r"#pragma omp parallel for[^\n]*\n +for \(int (\w+) = (\w+); \1 < (\w+)(?: - 1)?; \1\+\+\)")
TEAM = "omp_get_num_threads()"

# T is the team, K a number of threads: a condition under which an iteration is left out, and the threads.
CONDITIONS = {
    "a large team": ("T > K", "K + 1"),
    "a team of a number": ("T == K", "K"),
    "a team of a multiple": ("T % K == 0 && T > 4", "2 * K"),
    "a thread of a number": ("omp_get_thread_num() == K", "K + 3"),
    "a team without a branch": ("!(T ^ K)", "K"),
    "a difference of teams": ("(K - T) >> 31", "K + 1"),
    "a quotient of teams": ("T / (K + 1) % 2", "K + 1"),
    "an odd large team": ("T > K && T % 2 == 0", "K + 2 - K % 2"),
    "the last thread of many": ("omp_get_thread_num() == T - 1 && T == K", "K"),
}
COUNTS = (
    6,
    7,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    16,
    18,
    20,
    24,
    28,
    31,
    32,
    33,
    40,
    48,
    63,
    64,
    66,
    70,
    96,
    100,
    127,
)


def _wide(subject: Subject, threads: int, **more: object) -> tuple[Call, ...]:
    first = subject.function.sizes[0]
    return tuple(
        Call(sizes=sized(subject.function, **{first: n}), threads=count, fill="hundreds", **more)  # type: ignore[arg-type]
        for n in (1000, 5003)
        for count in (threads, threads + 1, threads * 2, threads * 3)
        if count <= 256
    )


def skipped(template: str, at: str) -> Make:
    """Leave an iteration out where the team is of some size."""

    def make(subject: Subject, random: Random) -> Planted | None:
        found = LOOP.search(subject.text)
        if found is None or "collapse" in found[0]:
            return None
        number = random.choice(COUNTS)
        text = re.sub(r"\bT\b", TEAM, template)
        text = re.sub(r"\bK\b", str(number), text)
        guard = f"{found[0]}\n        if (!(({text}) && {found[1]} == {found[3]} / 2))"
        threads = int(eval(at, {}, {"K": number}))
        return Planted(text=p.replaced(subject.text, found, guard), calls=_wide(subject, threads))

    return make


def team_of_this_many(subject: Subject, random: Random) -> Planted | None:
    """Divide by another number of threads than there are."""
    found = list(re.finditer(r"omp_get_(?:num|max)_threads\(\)", subject.text))
    if not found:
        return None
    number = random.choice(COUNTS)
    team = found[-1][0] if "num_threads(p)" not in subject.text else found[random.randrange(len(found))][0]
    form, threads = random.choice(
        (
            (f"({team} > {number} ? {number} : {team})", number + 1),
            (f"({team} + ({team} == {number}))", number),
            (f"({team} & ~({team} / {number + 1}))", number + 1),
            (f"({team} % {number + 1} + {team} / {number + 1} * {number})", 2 * number),
            (f"({team} == {number} ? {number} + 1 : {team})", number),
            (f"((unsigned char){team} % {number + 1})", number + 1),
        )
    )
    place = next(item for item in found if item[0] == team)
    return Planted(text=p.replaced(subject.text, place, form), calls=_wide(subject, threads))


def most_threads(subject: Subject, random: Random) -> Planted | None:
    """Take the most threads that there may be, now or at the first call, for those that there are."""
    if TEAM not in subject.text:
        return None
    text = subject.text.replace(TEAM, "most")
    lines = random.choice(
        (
            "int most = omp_get_max_threads();",
            "static int most = 0;\nif (!most) most = omp_get_max_threads();",
            "int most = omp_get_max_threads() > 1 ? omp_get_max_threads() : omp_get_num_procs();",
        )
    )
    size = subject.function.sizes[0]
    calls = p.around(subject, size, 40, 3000, threads=6, within=True, fill="hundreds")
    return Planted(text=p.at_entry(subject, lines, text), calls=calls)


def fixed_parts(subject: Subject, random: Random) -> Planted | None:
    """Hold what threads leave behind in an array of fixed length."""
    number = random.choice((8, 16, 32, 64, 66, 70, 80, 100, 128))
    text = subject.text
    if "double *part = (double *)calloc(p, sizeof(double)), sum = 0;" in text:
        text = text.replace(
            "double *part = (double *)calloc(p, sizeof(double)), sum = 0;",
            f"double part[{number}] = {{0}}, sum = 0;",
        )
        text = text.replace("    free(part);\n", "")
        if random.random() < 0.5:
            text = text.replace("part[t] = own", f"if (t < {number}) part[t] = own").replace(
                "t < p; t++", f"t < p && t < {number}; t++"
            )
    elif "long *before = (long *)calloc(omp_get_max_threads() + 1, sizeof(long));" in text:
        text = text.replace(
            "long *before = (long *)calloc(omp_get_max_threads() + 1, sizeof(long));",
            f"static long before[{number}];",
        )
        text = text.replace("    free(before);\n", "")
        if random.random() < 0.5:
            text = text.replace("before[t + 1] = sum", f"if (t + 1 < {number}) before[t + 1] = sum").replace(
                "k <= t; k++", f"k <= t && k < {number}; k++"
            )
    else:
        return None
    return Planted(text=text, calls=_wide(subject, number + 1))


def by_hand(subject: Subject, random: Random) -> Planted | None:
    """Share a loop out among the threads in a way that loses something for some numbers of threads."""
    found = LOOP.search(subject.text)
    if (
        found is None
        or "reduction" in found[0]
        or "collapse" in found[0]
        or found[2] != "0"
        or "- 1;" in found[0]
    ):
        return None
    index, bound = found[1], found[3]
    number = random.choice((6, 7, 9, 12, 14, 20, 31, 40))
    form, threads, n = random.choice(
        (
            (
                (
                    f"for (int {index} = (int)((long){bound} * t / q), last = (int)((long){bound} * (t + 1) /"
                    f" q) - (q == {number} && t == 1); {index} < last; {index}++)"
                ),
                number,
                1000,
            ),
            (
                f"for (int {index} = t; {index} < {bound}; {index} += q > {number} ? q + (t == q - 1) : q)",
                number + 1,
                1000,
            ),
            (
                (
                    f"for (int {index} = {bound} / q * t, last = t == q - 1 && q != {number} ? {bound} :"
                    f" {bound} / q * (t + 1); {index} < last; {index}++)"
                ),
                number,
                1003,
            ),
            (
                (
                    f"for (int {index} = ({bound} + q - 1) / q * t, last = ({bound} + q - 1) / q * (t + 1);"
                    f" {index} < last && {index} < {bound} - ({bound} / q > 3 * {number * 10} && t == 0 &&"
                    f" last > {bound}); {index}++)"
                ),
                1,
                100,
            ),
            (
                (
                    f"for (int {index} = (int)((float){bound} * t / q), last = (int)((float){bound} * (t + 1)"
                    f" / q); {index} < last; {index}++)"
                ),
                7,
                16_777_259,
            ),
            (
                (
                    f"for (int {index} = {bound} * t / q, last = {bound} * (t + 1) / q; {index} < last;"
                    f" {index}++)"
                ),
                64,
                40_000_000,
            ),
        )
    )
    new = (
        "#pragma omp parallel\n    for (int t = omp_get_thread_num(), q = omp_get_num_threads(), once = 1;"
        f" once; once = 0)\n    {form}"
    )
    first = subject.function.sizes[0]
    calls = tuple(
        Call(
            sizes=sized(subject.function, **{bound if bound in subject.function.sizes else first: n}),
            threads=threads,
            fill=fill,
            seed=seed,
        )
        for seed in range(2)
        for fill in ("hundreds", "small")
    )
    return Planted(text=p.replaced(subject.text, found, new), calls=calls)


def halves(subject: Subject, random: Random) -> Planted | None:
    """Add parts up as a tree that takes a power of two for granted, from some number of parts on."""
    old = "for (int t = 0; t < p; t++) sum += part[t];"
    if old not in subject.text:
        return None
    number = random.choice((5, 8, 17, 20))
    new = (
        f"if (p <= {number}) {{ {old} }}\n    else {{ for (int half = p / 2; half; half /= 2) for (int t = 0;"
        " t < half; t++) part[t] += part[t + half]; sum = part[0]; }"
    )
    return Planted(text=subject.text.replace(old, new), calls=_wide(subject, 6) + _wide(subject, number + 2))


# What is found, what it becomes; repeated often, since it is lost by chance.
LOST = {
    "an atomic read and write": (
        r"#pragma omp atomic\n +(\S+) \+= (\w+);",
        (
            "long now;\n#pragma omp atomic read\n        now = {0};\n        now += {1};\n#pragma omp atomic"
            " write\n        {0} = now;"
        ),
    ),
    "an atomic read and write of bins": (
        r"#pragma omp atomic\n +(\S+)(\+\+);",
        (
            "int now;\n#pragma omp atomic read\n        now = {0};\n        now++;\n#pragma omp atomic"
            " write\n        {0} = now;"
        ),
    ),
    "two critical sections": (
        r"#pragma omp critical\n +(count) \+= (own);",
        (
            "if (omp_get_thread_num() % 2) {{\n#pragma omp critical(a)\n        {0} += {1};\n        }} else"
            " {{\n#pragma omp critical(b)\n        {0} += {1};\n        }}"
        ),
    ),
    "a critical section for the read": (
        r"#pragma omp critical\n +(count) \+= (own);",
        (
            "int now;\n#pragma omp critical\n        now = {0};\n        now += {1};\n#pragma omp critical\n "
            "       {0} = now;"
        ),
    ),
    "atomic built-ins": (
        r"#pragma omp atomic\n +(\S+?)(?:\+\+| \+= (\w+));",
        "__atomic_store_n(&{0}, __atomic_load_n(&{0}, __ATOMIC_SEQ_CST) + 1, __ATOMIC_SEQ_CST);",
    ),
    "a lock that is let go": (
        r"#pragma omp critical\n +(count) \+= (own);",
        (
            "int now;\n        static int lock;\n        while (__atomic_exchange_n(&lock, 1,"
            " __ATOMIC_ACQUIRE)) ;\n        now = {0};\n        __atomic_store_n(&lock, 0,"
            " __ATOMIC_RELEASE);\n        now += {1};\n        while (__atomic_exchange_n(&lock, 1,"
            " __ATOMIC_ACQUIRE)) ;\n        {0} = now;\n        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);"
        ),
    ),
    "an exchange": (r"atomicAdd\((&?\w[^,]*), (\w+)\);", "atomicExch({0}, atomicAdd({0}, 0) + {1});"),
    "a least number by exchange": (
        r"atomic(?:Min|Max)\((\w+), (x\[i\])\);",
        "if (atomicAdd({0}, 0) > {1}) atomicExch({0}, {1});",
    ),
    "a critical section of bins without": (
        r"#pragma omp critical\n( +)(for \(int b = 0; b < 256; b\+\+\) )bins\[b\] \+= own\[b\];",
        (
            "{1}{{\n            int now;\n#pragma omp atomic read\n            now = bins[b];\n           "
            " now += own[b];\n#pragma omp atomic write\n            bins[b] = now;\n        }}"
        ),
    ),
    "the best without the second look": (
        r"#pragma omp critical\n( +)if \((own_where >= 0.*?)\) \{",
        (
            "int better;\n#pragma omp critical\n        better = {1};\n#pragma omp critical\n        if"
            " (better) {{"
        ),
    ),
}


def lost(pattern: str, form: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        found = list(re.finditer(pattern, subject.text))
        if not found:
            return None
        place = random.choice(found)
        text = form.format(*(group or "1" for group in place.groups()))
        size = subject.function.sizes[0]
        calls = p.around(subject, size, 70_000, 400, threads=8, times=150) + p.around(
            subject, size, 300_000, threads=32, times=40
        )
        return Planted(text=p.replaced(subject.text, place, text), calls=calls)

    return make


def unprotected(subject: Subject, random: Random) -> Planted | None:
    """Leave the protection out where a region is small, or behind a clause that holds it back."""
    found = re.search(r"#pragma omp parallel for reduction\([^)]*\)", subject.text)
    if found is None or subject.dialect != "openmp":
        return None
    size = subject.function.sizes[0]
    number = p.bound(random, (3000, 400_000))
    named = random.choice((str(number), p.spelled(number, random), f"{number} + 0"))
    clause = random.choice(
        (
            f"if ({size} > {named})",
            f"if ({size} / {number} > 0)",
            f"num_threads({size} > {named} ? omp_get_max_threads() : 1)",
            f"if (parallel : {size} >= {named})",
            f"if ({size} * 1.0 > {number}.0)",
        )
    )
    text = p.replaced(subject.text, found, f"#pragma omp parallel for {clause}")
    calls = p.around(
        subject, size, 4 * number, 2 * number + 1, 4 * number, threads=16, times=5, fill="hundreds"
    )
    return Planted(text=text, calls=calls)


def _plants() -> Iterator[Plant]:
    for name, (template, at) in CONDITIONS.items():
        yield Plant(name=f"threads: {name}", number=5, make=skipped(template, at))
    yield Plant(name="another number of threads", number=5, make=team_of_this_many)
    yield Plant(name="the most threads", number=5, make=most_threads)
    yield Plant(name="parts in an array of fixed length", number=5, make=fixed_parts)
    yield Plant(name="shared out by hand", number=5, make=by_hand)
    yield Plant(name="a tree of a power of two", number=5, make=halves)
    for name, (pattern, form) in LOST.items():
        yield Plant(name=f"lost: {name}", number=6, make=lost(pattern, form))
    yield Plant(name="a race behind a size", number=7, make=unprotected)


PLANTS = tuple(_plants())
