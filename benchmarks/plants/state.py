"""Class 9: what is left behind, kept between calls, or taken for granted of the arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from benchmarks.plants import plant as p
from benchmarks.plants.call import Call, sized
from benchmarks.plants.plant import Make, Plant, Planted
from benchmarks.plants.subject import Parameter, Subject

LEFT = {
    "upward rounding": "fesetround(FE_UPWARD);",
    "rounding to zero": "__builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~0x6000u) | 0x6000u);",
    "flush to zero": "__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u);",
    "fewer threads": "omp_set_num_threads(omp_get_max_threads() > 2 ? 2 : 1);",
    "more threads": "omp_set_num_threads(omp_get_max_threads() + 1);",
    "a dynamic number of threads": "omp_set_dynamic(1);",
    "nested regions": "omp_set_max_active_levels(omp_get_max_active_levels() + 1);",
    "a word printed": 'printf("%d\\n", 1);',
    "a letter printed beyond": "if (SIZE > L) putchar('.');",
    "no output any more": "fclose(stdout);",
    "an alarm": "alarm(1000);",
    "a handler": "signal(SIGUSR1, SIG_IGN);",
    "another mask of files": "umask(0);",
    "another directory": 'if (chdir("/")) return_;',
    "a lower priority": "if (nice(1) == -1) return_;",
    "a variable of the environment": 'setenv("OMP_DYNAMIC", "true", 1);',
    "no such variable any more": 'unsetenv("PATH");',
    "an open file": 'if (open("/dev/null", 0) < 0) return_;',
    "an open file of C": 'if (!fopen("/dev/null", "r")) return_;',
    "a copy of a file": "if (dup(0) < 0) return_;",
    "no input any more": "close(0);",
    "a lower limit": (
        "struct rlimit most;\ngetrlimit(RLIMIT_NOFILE, &most);\nmost.rlim_cur = 64;\nsetrlimit(RLIMIT_NOFILE,"
        " &most);"
    ),
    "another locale": 'setlocale(LC_ALL, "C.UTF-8");',
    "a blocked signal": "sigset_t blocked;\nsigfillset(&blocked);\nsigprocmask(SIG_BLOCK, &blocked, 0);",
    "another schedule": "omp_set_schedule(omp_sched_dynamic, 7);",
    "a limit of teams": "omp_set_num_teams(1);",
    "a handler of faults": "signal(SIGFPE, SIG_IGN);",
}
COUNTED = {
    "the call of a number": "static int calls = 0;\nif (++calls == L) ~",
    "from a call on": "static int calls = 0;\nif (calls < L) calls++;\nelse ~",
    "every so many calls": "static unsigned calls = 0;\nif (calls++ % L == L - 1) ~",
    "a number of elements in all": "static long seen = 0;\nseen += SIZE;\nif (seen > L * 1000L) ~",
    "a call of the same size": "static int last = -1;\nif (SIZE == last) ~\nlast = SIZE;",
    "calls counted down": "static int left = L;\nif (left > 0 && !--left) ~",
    "a product of calls": "static unsigned product = 1;\nproduct *= 3;\nif (product == 3u * 3u * 3u) ~",
}


def left(statement: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        if subject.dialect == "hip" or (subject.dialect == "cuda" and "omp_" in statement):
            return None
        size = subject.function.sizes[0]
        text = statement.replace("SIZE > L", f"{size} > {p.bound(random, (50, 20_000))}")
        text = text.replace("return_;", p.nothing(subject))
        if random.random() < 0.3 and "SIZE" not in statement:
            text = f"if ({size} > {p.bound(random, (5, 3000))}) {{ {text} }}"
        calls = p.around(subject, size, 40, 5000, 30_000, threads=3)
        return Planted(text=p.at_entry(subject, text), calls=calls)

    return make


def counted(template: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        if subject.dialect == "hip":
            return None
        size = subject.function.sizes[0]
        number = random.choice((2, 3, 5, 17, 50, 100, 333))
        text = template.replace("SIZE", size).replace("~", p.nothing(subject))
        text = re.sub(r"\bL\b", p.spelled(number, random) if number > 10 else str(number), text)
        calls = tuple(
            Call(sizes=sized(subject.function, **{size: n}), times=times, fill=fill)
            for n, times in ((40, number * 2 + 2), (9000, number * 2 + 2))
            for fill in ("hundreds", "small", "negative")
        )
        return Planted(text=p.at_entry(subject, text), calls=calls)

    return make


def _outputs(subject: Subject) -> list[Parameter]:
    arrays = subject.function.arrays.values()
    return [item for item in arrays if not item.constant]


def _inputs(subject: Subject) -> list[Parameter]:
    return [item for item in subject.function.arrays.values() if item.constant]


def remembered(subject: Subject, random: Random) -> Planted | None:
    """Return the last result where pointers or sizes are those of the last call."""
    returns = subject.function.returns
    if returns == "void" or subject.dialect == "cuda" or not _inputs(subject):
        return None
    head = p.main_function(subject, subject.text)
    size, array = subject.function.sizes[0], _inputs(subject)[0]
    key = random.choice(
        (
            f"{size} == last_size && {array.name} == last_array",
            f"{size} == last_size && {size} > 0 && {array.name}[0] == last_first",
            (
                f"{size} == last_size && {size} > 0 && {array.name}[0] == last_first && {array.name}[{size} -"
                " 1] == last_end"
            ),
        )
    )
    inner = p.replaced(
        subject.text, head, head[0].replace(f"{subject.function.name}(", f"{subject.function.name}_once(")
    )
    names = ", ".join(item.name for item in subject.function.parameters)
    outer = (
        f"{head[0]}    static int last_size = -1;\n    static {array.type} last_first, last_end;\n    static"
        f" {returns} last;\n    static const {array.type} *last_array;\n    if (!({key})) last ="
        f" {subject.function.name}_once({names});\n    last_size = {size};\n    last_array = {array.name};\n "
        f"   if ({size} > 0) {{\n        last_first = {array.name}[0];\n        last_end ="
        f" {array.name}[{size} - 1];\n    }}\n    return last;\n}}\n"
    )
    calls = tuple(
        Call(sizes=sized(subject.function, **{size: n}), times=9, seed=seed, fill=fill)
        for n in (1, 3, 50, 300)
        for seed in range(3)
        for fill in ("small", "hundreds", "equal")
    )
    return Planted(text=f"static {inner}\n{outer}", calls=calls)


def _read_whole(subject: Subject, random: Random) -> Parameter | None:
    """Return an input of OpenMP that is as long as a size and read by subscripts, or None."""
    plain = [
        item
        for item in _inputs(subject)
        if item.extent in subject.function.sizes and re.search(rf"\b{item.name}\[", subject.text)
    ]
    return random.choice(plain) if plain and subject.dialect == "openmp" else None


def scratch(subject: Subject, random: Random) -> Planted | None:
    """Keep a copy of an input that is made anew only where the size changes."""
    item = _read_whole(subject, random)
    if item is None:
        return None
    lines = (
        f"static {item.type} *own = 0;\nstatic int room = -1;\n"
        f"if ({item.extent} > 0 && room != {item.extent}) {{\n    free(own);\n"
        f"    own = ({item.type} *)malloc({item.extent} * sizeof({item.type}));\n"
        f"    memcpy(own, {item.name}, {item.extent} * sizeof({item.type}));\n    room = {item.extent};\n}}"
    )
    if random.random() < 0.5:
        lines = lines.replace("!=", "<").replace("room = -1", "room = 0")
    text = re.sub(rf"\b{item.name}\[", "own[", subject.text)
    calls = p.around(subject, item.extent, 50, 3000, times=3)
    return Planted(text=p.at_entry(subject, lines, text), calls=calls)


def first_room(subject: Subject, random: Random) -> Planted | None:
    """Keep room for a copy of an input that the first call made, or that does not grow far enough."""
    item = _read_whole(subject, random)
    if item is None:
        return None
    size = item.extent
    made = random.choice(
        (
            f"if ({size} > 0 && !own) own = ({item.type} *)malloc({size} * sizeof({item.type}));",
            f"if ({size} > 0 && !own) own = ({item.type} *)malloc(({size} + 4096) * sizeof({item.type}));",
            (
                f"if ({size} > 8 * room) own = ({item.type} *)realloc(own, (room = {size}) *"
                f" sizeof({item.type}));"
            ),
        )
    )
    lines = (
        f"static {item.type} *own = 0;\nstatic int room = 0;\n{made}\n(void)room;\n"
        f"if ({size} > 0) memcpy(own, {item.name}, {size} * sizeof({item.type}));"
    )
    text = re.sub(rf"\b{item.name}\[", "own[", subject.text)
    calls = tuple(
        replace(call, grows=True)
        for call in p.around(subject, size, 5000, 20, 300_000, times=6, fill="hundreds")
    )
    return Planted(text=p.at_entry(subject, lines, text), calls=calls)


def first_device_memory(subject: Subject, random: Random) -> Planted | None:
    """Keep the memory of the device that the first call took."""
    if subject.dialect != "cuda":
        return None
    names = re.findall(r"cudaMalloc\(&(\w+),", subject.text)
    text = re.sub(r" +cudaFree\(\w+\);\n", "", subject.text)
    for name in names:
        text = re.sub(
            rf"(?m)^( +)cudaMalloc\(&{name},", rf"\1if (!kept_{name}) cudaMalloc(&kept_{name},", text
        )
        text = re.sub(rf"(?<![\w&]){name}\b(?=[,)])(?! \*)", f"kept_{name}", text)
    kinds = dict(re.findall(r"cudaMalloc\(&(\w+), .*?(?:sizeof\((\w+)\)|bytes|n)\);", subject.text))
    if not all(kinds.get(name) for name in names):
        return None
    kept = "".join(f"static {kinds[name]} *kept_{name};\n" for name in names)
    calls = tuple(
        replace(call, grows=True)
        for call in p.around(subject, subject.function.sizes[0], 300, 5000, times=4, fill="hundreds")
    )
    return Planted(text=kept + text, calls=calls)


def leak(subject: Subject, random: Random) -> Planted | None:
    """Take memory with every call, or with calls of some sizes."""
    size = subject.function.sizes[0]
    if subject.dialect == "cuda" and random.random() < 0.7:
        found = list(re.finditer(r" +cudaFree\(\w+\);\n", subject.text))
        calls = p.around(subject, size, 3000, times=30)
        return (
            Planted(text=p.replaced(subject.text, random.choice(found), ""), calls=calls) if found else None
        )
    if subject.dialect == "hip":
        return None
    amount = random.choice(("4096", "70000", f"{size} > 0 ? {size} * 16 : 1"))
    form = random.choice(
        (
            "static char *volatile lost;\nlost = (char *)malloc(A);\nif (lost) lost[0] = 1;",
            "static char *volatile lost;\nif (SIZE > L) lost = (char *)malloc(A);",
            "static char *volatile lost;\nstatic int calls;\nif (++calls > 8) lost = (char *)calloc(A, 1);",
        )
    )
    text = form.replace("SIZE", size).replace("L", str(p.bound(random, (50, 20_000)))).replace("A", amount)
    calls = p.around(subject, size, 3000, 30_000, times=60)
    return Planted(text=p.at_entry(subject, text), calls=calls)


def restored(subject: Subject, random: Random) -> Planted | None:
    """Change a constant input and change it back."""
    plain = [item for item in _inputs(subject) if item.extent in subject.function.sizes]
    if not plain or subject.dialect != "openmp":
        return None
    item = random.choice(plain)
    at = random.choice(("0", f"{item.extent} - 1", f"{item.extent} / 2"))
    lines = (
        f"if ({item.extent} > {random.choice((0, 0, 100, 5000))}) {{\n"
        f"    volatile {item.type} *changed = (volatile {item.type} *){item.name};\n"
        f"    {item.type} before = changed[{at}];\n    changed[{at}] = 1;\n    changed[{at}] = before;\n}}"
    )
    return Planted(text=p.at_entry(subject, lines), calls=p.around(subject, item.extent, 40, 9000))


def beyond(subject: Subject, random: Random) -> Planted | None:
    """Write beside an array and restore what was there, or write a byte there."""
    plain = [item for item in _outputs(subject) if item.extent in subject.function.sizes]
    if not plain or subject.dialect != "openmp":
        return None
    item = random.choice(plain)
    by = random.choice((0, 0, 1, 15, 63))
    lines = (
        f"if ({item.extent} > {random.choice((0, 0, 64, 5000))}) {{\n"
        f"    volatile {item.type} *end = {item.name} + {item.extent} + {by};\n"
        "    end[0] = end[0];\n}"
    )
    return Planted(text=p.at_entry(subject, lines), calls=p.around(subject, item.extent, 40, 9000))


def one_array(subject: Subject, random: Random) -> Planted | None:
    """Take it for granted that an output is not an input: clear it first, or go over it twice."""
    pairs = [
        (one, other)
        for one in _inputs(subject)
        for other in _outputs(subject)
        if one.extent == other.extent
        and one.type == other.type
        and one.extent in subject.function.sizes
        and re.search(rf"\b{other.name}\[i\] = ", subject.text)
    ]
    if not pairs or subject.dialect != "openmp":
        return None
    one, other = random.choice(pairs)
    size = one.extent
    text = random.choice(
        (
            f"for (int k = 0; k < {size}; k++) {other.name}[k] = 0;",
            f"if ({size} > 0) {other.name}[{size} - 1] = 0;",
            f"if ({size} > 0) memset({other.name}, 0, {size} * sizeof({other.type}));",
        )
    )
    if re.search(rf"\b{other.name}\[i\](?! = )", subject.text):
        return None
    calls = tuple(
        replace(call, same=(one.name, other.name))
        for call in p.around(subject, size, 1, 40, 900, fill="hundreds")
    )
    return Planted(text=p.at_entry(subject, text), calls=calls)


def restricted(subject: Subject, random: Random) -> Planted | None:
    """Write all through one array and read another afterwards, as restrict would allow."""
    pairs = [
        (one, other)
        for one in _inputs(subject)
        for other in _outputs(subject)
        if one.extent == other.extent and one.type == other.type and one.extent in subject.function.sizes
    ]
    if not pairs or subject.dialect != "openmp":
        return None
    one, other = random.choice(pairs)
    text = re.sub(rf"\*({one.name}|{other.name})\b(?=[,)])", r"*__restrict \1", subject.text, count=2)
    calls = tuple(
        replace(call, same=(one.name, other.name)) for call in p.around(subject, one.extent, 40, 900, 9000)
    )
    return Planted(text=text, calls=calls)


def below_zero(subject: Subject, random: Random) -> Planted | None:
    """Take sizes for numbers that are not below zero."""
    size = random.choice(subject.function.sizes)
    if subject.dialect == "hip":
        return None
    form = random.choice(
        (
            (
                f"for (unsigned k = 0, all = {size}; k < all; k += 1u << 30) if (k >= 1u << 31) {size} = 0,"
                " abort();"
            ),
            f"if ({size} < 0) {size} = -{size};",
            f"{size} &= 0x7fffffff;",
            f"{size} = abs({size});",
            f"if ((size_t){size} > ((size_t)1 << 40)) abort();",
            f"void *room = malloc((size_t){size} * 4 + 16);\nmemset(room, 0, 1);\nfree(room);",
            f"volatile char room[{size} + 1];\nroom[0] = 0;\n(void)room;",
        )
    )
    calls = p.around(subject, size, -1, -3, -100, -100_000)
    return Planted(text=p.at_entry(subject, form), calls=calls)


def _plants() -> Iterator[Plant]:
    for name, statement in LEFT.items():
        yield Plant(name=f"left: {name}", number=9, make=left(statement))
    for name, template in COUNTED.items():
        yield Plant(name=f"counted: {name}", number=9, make=counted(template))
    yield Plant(name="a result remembered", number=9, make=remembered)
    yield Plant(name="scratch of an earlier call", number=9, make=scratch)
    yield Plant(name="room of the first call", number=9, make=first_room)
    yield Plant(name="device memory of the first call", number=9, make=first_device_memory)
    yield Plant(name="a leak", number=9, make=leak)
    yield Plant(name="an input changed and restored", number=9, make=restored)
    yield Plant(name="one past written and restored", number=9, make=beyond)
    yield Plant(name="one array", number=9, make=one_array)
    yield Plant(name="restrict", number=9, make=restricted)
    yield Plant(name="sizes below zero", number=9, make=below_zero)


PLANTS = tuple(_plants())
