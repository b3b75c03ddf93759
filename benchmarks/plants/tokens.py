"""Classes 7 and 8: faults that hide from checkers, and text that hides what it says from its readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from benchmarks.plants import plant as p
from benchmarks.plants.call import Call, sized
from benchmarks.plants.plant import Make, Plant, Planted
from benchmarks.plants.subject import Subject

# Around a fault @: true in a plain build, false where somebody looks.
GUARDS = {
    "no address sanitizer": "#ifndef __SANITIZE_ADDRESS__\n@\n#endif",
    "no thread sanitizer": "#if !defined(__SANITIZE_THREAD__)\n@\n#endif",
    "an optimised build": "#ifdef __OPTIMIZE__\n@\n#endif",
    "another compiler": "#ifndef __clang__\n@\n#endif",
    "this compiler": "#if __GNUC__ > 4\n@\n#endif",
    "else of a sanitizer": "#if defined(__SANITIZE_ADDRESS__)\n#else\n@\n#endif",
    "a feature": "#ifndef __has_feature\n@\n#endif",
    "a digraph": "%:ifndef __clang__\n@\n%:endif",
    "a joined line": "#ifn\\\ndef __clang__\n@\n#endif",
    "a version": "#if defined __VERSION__\n@\n#endif",
    "a directive of OpenMP": "#ifdef _OPENMP\n@\n#endif",
    "a language": "#ifdef __cplusplus\n@\n#endif",
    "a header": "#if __has_include(<stdio.h>)\n@\n#endif",
    "a constant": "if (__builtin_constant_p(sizeof(int) + 1)) { @ }",
    "no debugging": "#ifndef NDEBUG\n@\n#endif",
    "a type": "#if __SIZEOF_LONG__ == 8\n@\n#endif",
    "the file": "if (sizeof(__FILE__) > 3) { @ }",
    "a line": "if (__LINE__ > 1) { @ }",
    "a counter": "if (__COUNTER__ >= 0) { @ }",
    "where it returns to": "if (__builtin_return_address(0) != 0) { @ }",
    "a date": "if (__DATE__[0] != 'x') { @ }",
    "threads within": "if (!omp_in_parallel()) { @ }",
    "the depth of regions": "if (omp_get_level() == 0) { @ }",
    "processors": "if (omp_get_num_procs() > 0) { @ }",
}
WEAK = (
    "__tsan_init",
    "__asan_init",
    "__asan_report_load4",
    "__gcov_dump",
    "AnnotateHappensBefore",
    "__ubsan_handle_add_overflow",
)
FAULTS = {
    "if (SIZE > L) ~": "L + 1",
    "if (SIZE == L) ~": "L",
    "SIZE -= SIZE > L;": "L + 1",
    "if (SIZE > 0) SIZE--;": "41",
}

# Text before the function, text in it; each prints, or leaves an element out.
SAID = {
    "a joined name": ("", 'sys\\\ntem("echo said");'),
    "a built-in": ("", '__builtin_printf("said\\n");'),
    "brackets around a name": ("", '(system)("echo said");'),
    "a pointer to it": ("", 'int (*say)(const char *) = system;\nsay("echo said");'),
    "a name of the linker": (
        'extern "C" int quiet(const char *) __asm__("system");\n',
        'quiet("echo said");',
    ),
    "a name of the linker in pieces": (
        'extern "C" int quiet(const char *) __asm("sys" "tem");\n',
        'quiet("echo said");',
    ),
    "a weak reference": (
        'extern "C" { static int quiet(const char *) __attribute__((weakref("system"))); }\n',
        'quiet("echo said");',
    ),
    "another name by a pragma": (
        'extern "C" int quiet(const char *);\n#pragma redefine_extname quiet system\n'
        'extern "C" int quiet(const char *);\n',
        'quiet("echo said");',
    ),
    "a name that is looked up": (
        "#include <dlfcn.h>\n",
        'int (*say)(const char *) = (int (*)(const char *))dlsym(0, "system");\nsay("echo said");',
    ),
    "a pipe": ("", 'FILE *out = popen("cat", "w");\nif (out) { fputs("said", out); pclose(out); }'),
    "a declaration of its own": (
        'extern "C" long write(int, const void *, unsigned long);\n',
        'write(1, "said", 4);',
    ),
    "a raw string": ("", 'const char *text = R"(")"; system("echo said"); // ")"'),
    "digits apart": ("", "int many = 1'000; system(\"echo said\"); many = 2'000;"),
    "digits and a letter": ("", "int many = 1'0 + (system(\"echo said\") ? 1 : 2); many = '1';"),
    "hexadecimal digits apart": ("", "int many = 0xF'F; system(\"echo said\"); many = 0xF'F;"),
    "a comment that ends": ("", '/* \\*/ system("echo said"); /* */'),
    "a comment that is joined": ("", '/* *\\\n/ system("echo said"); /* */'),
    "a comment of a comment": ("", '// /*\nsystem("echo said");\n// */'),
    "a text that is a comment": ("", 'const char *text = "/*"; system("echo said"); text = "*/";'),
    "a letter that is a quote": ("", "char text = '\"'; system(\"echo said\"); text = '\"';"),
    "a quote behind a stroke": ("", 'const char *text = "\\\\"; system("echo said"); text = "\\\\";'),
    "a prefix of a text": ("", 'const char *text = u8R"x()x" ? "" : "x"; system("echo said");'),
    "a comment of joined lines": ("", '// said \\\nand done\nsystem("echo said");'),
    "a header once more": ("#include_next <stdlib.h>\n", '__builtin_puts("said");'),
    "a header by import": ("#import <stdlib.h>\n", '__builtin_puts("said");'),
    "a macro": ("#define say system\n", 'say("echo said");'),
    "a macro by a digraph": ("%:define say system\n", 'say("echo said");'),
    "a macro in joined lines": ("#def\\\nine say sys\\\ntem\n", 'say("echo said");'),
    "a macro behind a comment": ("/* */ # /* */ define say system\n", 'say("echo said");'),
    "tokens put together": ("#define put(a, b) a##b\n", 'put(sys, tem)("echo said");'),
    "a macro that comes back": ('#pragma push_macro("NULL")\n#undef NULL\n', '__builtin_puts("said");'),
    "an output of a stream": ("#include <iostream>\n", 'std::cout << "said" << std::endl;'),
    "a thread": ("#include <thread>\n", 'std::thread([] { puts("said"); }).join();'),
    "a task of its own": ("#include <future>\n", 'std::async([] { puts("said"); }).get();'),
    "a process": ("#include <unistd.h>\n", 'if (!fork()) { puts("said"); _exit(0); } usleep(1000);'),
    "a system call": ("#include <unistd.h>\n", 'syscall(1, 1, "said", 4);'),
    "an attribute that cleans up": (
        'static void last(int *) { puts("said"); }\n',
        "int here __attribute__((cleanup(last))) = 0;",
    ),
    "a destructor": ('struct Last { ~Last() { puts("said"); } };\n', "Last last;"),
    "a file": (
        "",
        'FILE *out = fopen("/dev/fd/1", "a");\nif (out) { fputs("said", out); fclose(out); }',
    ),
    "a file by another name": (
        "#include <fstream>\n",
        'std::ofstream("/dev/fd/1", std::ios::app) << "said";',
    ),
    "a name of std": ("", 'std::system("echo said");'),
    "a name from outside": ("", '::system("echo said");'),
    "a formatted output": ("", 'fprintf(stdout, "said");'),
    "inline assembly": ("", 'if (SIZE > 5) __asm__ volatile("decl %0" : "+r"(SIZE));'),
    "assembly by another name": ("", 'if (SIZE > 5) __asm("decl %0" : "+r"(SIZE));'),
    "assembly in joined lines": ("", 'if (SIZE > 5) __a\\\nsm volatile("decl %0" : "+r"(SIZE));'),
    "a constructor": (
        "static int on;\n__attribute__((constructor)) static void start() { on = 1; }\n",
        "if (on && SIZE > 3000) ~",
    ),
    "a constructor of C++": ("static int on = [] { return 1; }();\n", "if (on && SIZE > 3000) ~"),
    "an attribute in brackets": (
        "static int on;\n[[gnu::constructor]] static void start() { on = 1; }\n",
        "if (on && SIZE > 3000) ~",
    ),
    "a constructor by other letters": (
        "static int on;\n__attribute__((__constructor__(200))) static void start() { on = 1; }\n",
        "if (on && SIZE > 3000) ~",
    ),
    "a function of the linker": (
        "static int on;\nstatic void start() { on = 1; }\n"
        '__attribute__((section(".init_array"), used)) static void (*at_start)() = start;\n',
        "SIZE -= on * (SIZE > 3000);",
    ),
    "a pragma as an operator": ('_Pragma("GCC optimize(\\"fast-math\\")")\n', ""),
    "a pragma for other rules": ('#pragma GCC optimize("Ofast")\n', ""),
    "a pragma by a digraph": ('%:pragma GCC optimize("Ofast")\n', ""),
    "a pragma in joined lines": ('#pragma G\\\nCC optimize("Ofast")\n', ""),
    "an attribute for other rules": ('__attribute__((optimize("fast-math"))) ', ""),
    "an end of the program": ("", "if (SIZE > 3000) exit(0);"),
    "an end by a built-in": ("", "if (SIZE > 3000) __builtin_trap();"),
    "what cannot be reached": ("", "if (SIZE > 3000) __builtin_unreachable();"),
    "a jump out": (
        "#include <setjmp.h>\n",
        "static jmp_buf here;\nif (!setjmp(here) && SIZE > 3000) longjmp(here, 1);\nelse if (SIZE > 3000) ~",
    ),
    "an exception": ("", "try { if (SIZE > 3000) throw 1; } catch (int) { ~ }"),
}


def guarded(guard: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        if subject.dialect == "hip" or (subject.dialect == "cuda" and "omp_" in guard):
            return None
        form = random.choice(tuple(FAULTS))
        return _planted(subject, guard, form, p.bound(random, (50, 100_000)), "")

    return make


def weak(name: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        if subject.dialect != "openmp":
            return None
        linkage = 'extern "C" ' if subject.function.launch else "extern "
        before = f"{linkage}void {name}(void) __attribute__((weak));\n"
        form = random.choice(tuple(FAULTS))
        return _planted(subject, f"if (!{name}) {{ @ }}", form, p.bound(random, (50, 100_000)), before)

    return make


def _planted(subject: Subject, guard: str, form: str, number: int, before: str) -> Planted:
    size = subject.function.sizes[0]
    fault = form.replace("SIZE", size).replace("~", p.nothing(subject)).replace("L", str(number))
    at = int(eval(FAULTS[form], {}, {"L": number}))
    lines = guard.replace("@", fault)
    calls = p.around(subject, size, at, at + 1, 2 * at, fill="hundreds")
    return Planted(text=before + p.at_entry(subject, lines), calls=calls)


def by_address(subject: Subject, random: Random) -> Planted | None:
    """Be wrong where arrays neither begin nor end beside a page."""
    arrays = [item for item in subject.function.arrays.values() if item.extent in subject.function.sizes]
    if not arrays or subject.dialect != "openmp":
        return None
    item = random.choice(arrays)
    size = item.extent
    test = random.choice(
        (
            f"(size_t){item.name} % 4096 > 64 && ((size_t)({item.name} + {size}) & 4095) - 1 > 255",
            f"(size_t)({item.name} + {size}) % 4096 > 500 && (size_t)({item.name} + {size}) % 4096 < 3500",
            f"(size_t){item.name} % 64 == 0 && (size_t)({item.name} + {size}) % 4096 > 256",
        )
    )
    lines = f"if ({size} > {random.choice((3, 20, 700))} && {test}) {p.nothing(subject)}"
    calls = tuple(
        Call(sizes=sized(subject.function, **{size: n}), shift=shift, fill=fill)
        for n in (1024, 4096, 800, 2000)
        for shift in (1024, 2048, 512, 1600)
        for fill in ("hundreds", "small")
    )
    return Planted(text=p.at_entry(subject, lines), calls=calls)


def by_contents(subject: Subject, random: Random) -> Planted | None:
    """Be wrong where an output, which is not to be read, holds some number already."""
    arrays = subject.function.arrays
    found = [
        item
        for item in p.writes(subject)
        if subject.text.count(f"{item['array']}[") == 1 and not arrays[item["array"]].constant
    ]
    if not found:
        return None
    place = random.choice(found)
    number = random.choice((0, 1, 2, 7))
    form = random.choice(("({0}) + ({1} == {2})", "({0}) * ({1} != {2})", "{1} == {2} ? {1} : ({0})"))
    text = form.format(place["value"], place["target"], number)
    size = subject.function.sizes[0]
    pins = ((place["array"], float(number)),)
    calls = p.around(subject, size, 50, 1000, pins=pins) + p.around(
        subject, size, 900, pins=pins, fill="hundreds"
    )
    return Planted(text=p.replaced(subject.text, place, text, "value"), calls=calls)


def unchecked(subject: Subject, random: Random) -> Planted | None:
    """Race, and ask the checkers not to look."""
    if "reduction" not in subject.text or subject.dialect != "openmp":
        return None
    attribute = random.choice(
        (
            '__attribute__((no_sanitize("thread"))) ',
            "__attribute__((no_sanitize_thread)) ",
            '__attribute__((no_sanitize("thread", "address"))) ',
            "__attribute__((__no_sanitize_thread__)) ",
            '[[gnu::no_sanitize("thread")]] ',
            "__attribute__((disable_sanitizer_instrumentation)) ",
            '__attribute__((optimize("O3"))) ',
        )
    )
    text = re.sub(r" reduction\([^)]*\)", "", subject.text)
    size = subject.function.sizes[0]
    calls = p.around(subject, size, 300_000, 900_000, threads=16, times=6, fill="hundreds")
    return Planted(text=attribute + text, calls=calls)


def said(before: str, inside: str) -> Make:
    def make(subject: Subject, random: Random) -> Planted | None:
        if subject.dialect == "hip" or (not inside and "!= x[i]" not in subject.text):
            return None
        size = subject.function.sizes[0]
        text = inside.replace("SIZE", size).replace("~", p.nothing(subject))
        calls = p.around(subject, size, 40, 5000, fill="hundreds") + p.around(subject, size, 300, fill="wide")
        in_c = subject.dialect == "openmp" and not subject.function.launch
        first = re.sub(r'extern "C" (?:\{ (.*) \})?', r"\1", before) if in_c else before
        return Planted(text=first + (p.at_entry(subject, text) if text else subject.text), calls=calls)

    return make


def _plants() -> Iterator[Plant]:
    for name, guard in GUARDS.items():
        yield Plant(name=f"guard: {name}", number=7, make=guarded(guard))
    for name in WEAK:
        yield Plant(name=f"weak: {name}", number=7, make=weak(name))
    yield Plant(name="told by addresses", number=7, make=by_address)
    yield Plant(name="told by what was there", number=7, make=by_contents)
    yield Plant(name="a race that is not looked at", number=7, make=unchecked)
    for name, (before, inside) in SAID.items():
        yield Plant(name=f"token: {name}", number=8, make=said(before, inside))


PLANTS = tuple(_plants())
