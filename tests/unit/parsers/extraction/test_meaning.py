"""Loops stay where a function of their own would make them mean something else."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.sampling import sampled
from tests.unit.parsers.extraction.objects import program
from tests.unit.parsers.extraction.test_extraction import extracted
from transpile.core import Source
from transpile.parsers.extraction.restoring import as_written

C = """#include <alloca.h>
#include <string.h>
#define BUMP(p) ((p)->n++)
#define HERE __LINE__
#define LENGTH(a) (sizeof(a) / sizeof(*(a)))
#define ROOM (sizeof room / sizeof *room)
#define ALL _Pragma("omp parallel for")
union either { int n; float f; };
struct node {
    int n; int *x; int d[128]; union either u; union { int a; int b; }; struct node *next;
};
static struct node all[4];
static int *kept;
static void more(void) { *kept += 1; }
static void add(int *v) { *v += 1; }
static void keep(int *v) { kept = v; }
static void copy(void) { static struct node other; all[0] = other; *all = *(all + 1); }
"""
OF_C = {
    "moves": "void moves(struct node *p) { for (int i = 0; i < p->n; i++) p->x[i] += p->next->n; }",
    "another_name_of_a_member": (
        "void another_name_of_a_member(struct node *p)\n"
        "{ int *c = &p->n; for (int i = 0; i < 99; i++) { ++*c; p->x[i] = p->n; } }"
    ),
    "a_member_as_an_element": (
        "void a_member_as_an_element(void)\n"
        "{ struct node *p = all; for (int i = 0; i < 99; i++) { all[i & 3].n = i; p->x[i] = p->n; } }"
    ),
    "a_macro_sets_a_member": (
        "void a_macro_sets_a_member(struct node *p)\n"
        "{ for (int i = 0; i < 99; i++) { BUMP(all); p->x[i] = p->n; } }"
    ),
    "a_copy_of_all": (
        "void a_copy_of_all(struct node *p)\n"
        "{ for (int i = 0; i < 99; i++) { all[i & 3] = all[0]; p->x[i] = p->n; } }"
    ),
    "a_callee_copies_all": (
        "void a_callee_copies_all(struct node *p)\n"
        "{ for (int i = 0; i < 99; i++) { copy(); p->x[i] = p->n; } }"
    ),
    "a_callee_has_the_address": (
        "void a_callee_has_the_address(struct node *p)\n"
        "{ kept = &all[0].n; for (int i = 0; i < 99; i++) { more(); p->x[i] = p->n; } }"
    ),
    "a_callee_kept_the_address": (
        "int a_callee_kept_the_address(int *x)\n"
        "{ int s = 0; keep(&s); for (int i = 0; i < 99; i++) { more(); x[i] = s; } return s; }"
    ),
    "a_union": (
        "void a_union(struct node *p)\n"
        "{ for (int i = 0; i < 99; i++) { p->u.n += i; p->x[i] = p->u.f > 3; p->a = i; p->x[i] += p->b; } }"
    ),
    "a_pointer_that_may_be_null": (
        "void a_pointer_that_may_be_null(struct node *p, int has)\n"
        "{ for (int i = 0; i < p->n; i++) if (has) p->x[i] = p->next->n; }"
    ),
    "a_pointer_behind_a_jump": (
        "void a_pointer_behind_a_jump(struct node *p, int has)\n"
        "{ for (int i = 0; i < p->n; i++) { if (!has) continue; p->x[i] = p->next->n; } }"
    ),
    "memory_of_the_function": (
        "void memory_of_the_function(int n, char **b) { for (int i = 0; i < n; i++) b[i] = alloca(16); }"
    ),
    "a_length_by_a_macro": (
        "int a_length_by_a_macro(void)\n"
        "{ int a[99]; for (unsigned i = 0; i < LENGTH(a); i++) a[i] = i; return a[3]; }"
    ),
    "a_length_of_a_macros_array": (
        "int a_length_of_a_macros_array(void)\n"
        "{ int room[99]; for (unsigned i = 0; i < ROOM; i++) room[i] = i; return room[3]; }"
    ),
    "a_members_length_by_a_macro": (
        "void a_members_length_by_a_macro(struct node *p)\n"
        "{ for (unsigned i = 0; i < LENGTH(p->d); i++) p->d[i] = i; }"
    ),
    "a_type_of_an_array": (
        "void a_type_of_an_array(int *x)\n"
        "{ int a[99]; for (int i = 0; i < 99; i++) { __typeof__(a) b; a[i] = x[i] = sizeof b; } *x = *a; }"
    ),
    "compiled_in_another_way": (
        '__attribute__((optimize("O0")))\n'
        "void compiled_in_another_way(int n, int *x) { for (int i = 0; i < n; i++) x[i] = i; }"
    ),
    "a_pragma_of_a_block": (
        "void a_pragma_of_a_block(int n, float *x)\n"
        "{\n#pragma STDC FP_CONTRACT OFF\n    x[0] = 1;\n    for (int i = 0; i < n; i++) x[i] = i;\n}"
    ),
    "its_line": "void its_line(int n, int *x) { for (int i = 0; i < n; i++) x[i] = HERE; }",
    "a_directive_by_a_macro": (
        "void a_directive_by_a_macro(int n, int *x) { ALL for (int i = 0; i < n; i++) x[i] = i; }"
    ),
    "another_macro": (
        "void another_macro(int *x)\n{\n#undef HERE\n#define HERE 3\n"
        "    for (int i = 0; i < 99; i++) x[i] = HERE;\n}"
    ),
    "some_builds": (
        "void some_builds(int n, int *x)\n{\n#ifndef NONE\n    n++;\n"
        "    for (int i = 0; i < n; i++) x[i] = i;\n#endif\n}"
    ),
    "a_pragma_before_the_function": (
        "#pragma omp declare simd\n"
        "void a_pragma_before_the_function(int n, int *x) { for (int i = 0; i < n; i++) x[i] = i; }"
    ),
}
CPP = """#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>
typedef float real;
const int N = 99;
enum { M = 99 };
int a = 5, b = 6, c_out = 0;
double square(double x) { return x + 1; }
int kind(int) { return 1; }
int kind(const short &) { return 2; }
double of(const double &) { return 1; }
double of(double &) { return 2; }
int check(int i) { if (i == 50) throw std::runtime_error("50"); return i; }
struct Keeper { int &r; Keeper(int &v) : r(v) {} void bump() { r++; } };
struct Arrow { struct Inner { int v; } *to; int asked; Inner *operator->() { asked++; return to; } };
namespace inner { const int N = 50; double square(double x) { return x * x; } void other_names(double *v); }
struct Object {
    typedef double real;
    static const int M = 50;
    int n = 3, m = 4, &r = n;
    double t = 0, v[128];
    std::vector<int> w;
    void types();
    void swaps();
    void refers();
    void reference();
    void throws();
};
"""
OF_CPP = {
    "moves": "double moves(Object *o) { for (int i = 0; i < o->n; i++) o->t += o->v[i]; return o->t; }",
    "other_names": "void inner::other_names(double *v) { for (int i = 0; i < N; i++) v[i] = square(i); }",
    "types": "void Object::types() { for (int i = 0; i < M; i++) { real x = 1. / 3; v[i] = x; } }",
    "swaps": "void Object::swaps() { for (int i = 0; i < 99; i++) { std::swap(n, m); v[i] = n; } }",
    "refers": "void Object::refers() { for (int i = 0; i < 99; i++) { auto &q = t; q += v[i]; } }",
    "reference": "void Object::reference() { for (int i = 0; i < 99; i++) { r++; v[i] = n; } }",
    "throws": "void Object::throws() { for (int i = 0; i < 99; i++) { n++; w.at(i) = i; } }",
    "local_type": (
        "void local_type(double *v) { typedef double real; real k = 1. / 3;\n"
        "for (int i = 0; i < 99; i++) { real x = k / 3; v[i] = x; } }"
    ),
    "local_constant": (
        "void local_constant(double *v) { enum { M = 9 }; for (int i = 0; i < M; i++) v[i * 9] = 1; }"
    ),
    "local_using": (
        "void local_using(double *v)\n"
        "{ using namespace inner; using inner::square; for (int i = 0; i < 99; i++) v[i] = square(i); }"
    ),
    "parts": (
        "void parts(double *v)\n"
        "{ auto [a, b] = std::make_pair(1, 2.5); for (int i = 0; i < 99; i++) v[i] = a * b; }"
    ),
    "constness": (
        "double constness(Object *o)\n"
        "{ double s = 0; const double k = 2; for (int i = 0; i < 99; i++) s += of(k) + o->v[i]; return s; }"
    ),
    "pointer_name": (
        "int pointer_name(const int *x)\n"
        "{ int c = 0, d = 0; for (int i = 0; i < 99; i++) { c += x[i]; if (!c_out) d ^= i; } return c + d; }"
    ),
    "keeper": (
        "int keeper(int *x)\n"
        "{ int s = 0; Keeper k(s); for (int i = 0; i < 99; i++) { k.bump(); x[i] = s; } return s; }"
    ),
    "captured": (
        "int captured(int *x)\n{ int s = 0; std::function<void()> f = [&] { s++; };\n"
        "for (int i = 0; i < 99; i++) { f(); x[i] = s; } return s; }"
    ),
    "watched": (
        "int watched(int *x)\n{ int s = 0; auto f = std::cref(s);\n"
        "for (int i = 0; i < 99; i++) { s += i; x[i] = f; } return s; }"
    ),
    "chosen": (
        "int chosen(const int *x)\n"
        "{ int s = 0, t = 0; for (int i = 0; i < 99; i++) (x[i] ? s : t) += i; return s - t; }"
    ),
    "asked": "void asked(Arrow p, int *x) { for (int i = 0; i < 99; i++) x[i] = p->v; }",
    "caught": (
        "int caught()\n{ int s = 0; try { for (int i = 0; i < 99; i++) s += check(i); }\n"
        "catch (...) { return s; } return 0; }"
    ),
}


def _callers(source: Source) -> set[str]:
    return {source.unit(loop.caller).name.rpartition("::")[2] for loop in source.extracted.values()}


@pytest.fixture(scope="module")
def of_c(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the functions of which loops became functions."""
    return _callers(extracted(tmp_path_factory.mktemp("c"), C + "\n".join(OF_C.values())))


@pytest.fixture(scope="module")
def of_cpp(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the functions of which loops became functions."""
    return _callers(extracted(tmp_path_factory.mktemp("cpp"), CPP + "\n".join(OF_CPP.values()), "a.cpp"))


@pytest.mark.parametrize("case", OF_C)
def test_a_loop_of_c_stays(of_c: set[str], case: str) -> None:
    """All stay but that of the first function."""
    assert (case in of_c) == (case == "moves")


@pytest.mark.parametrize("case", OF_CPP)
def test_a_loop_of_cpp_stays(of_cpp: set[str], case: str) -> None:
    """All stay but that of the first function."""
    assert (case in of_cpp) == (case == "moves")


def test_lines_end_as_in_the_file(tmp_path: Path) -> None:
    """Files whose lines end with two characters have no others afterwards, and comments stay together."""
    text = (
        "/* one */\n// two\nvoid f(int n, int *x)\n{\n    for (int i = 0; i < n; i++)\n        x[i] = i;\n}\n"
    ).replace("\n", "\r\n")
    source = extracted(tmp_path, text)
    data = source.files["a.c"]
    assert data.count(b"\n") == data.count(b"\r\n")
    assert data.startswith(b"static void f_loop1(")


def _printed(place: Path, text: bytes) -> bytes:
    file, built = place.with_suffix(".cpp"), place.with_suffix(".out")
    file.write_bytes(text)
    subprocess.run(["g++", "-std=c++17", "-w", "-fwrapv", "-o", built, file], check=True)
    return subprocess.run([built], capture_output=True, check=True, timeout=60).stdout


@pytest.mark.parametrize("seed", sampled(range(6), 3))
def test_objects_do_the_same(tmp_path: Path, seed: int) -> None:
    """Methods leave the same in their objects, whichever of their loops are functions."""
    text = program(seed, 2)
    (tmp_path / "source").mkdir()
    source = extracted(tmp_path / "source", text, "a.cpp")
    assert source.extracted
    assert as_written(source).files["a.cpp"] == text.encode()
    assert _printed(tmp_path / "after", source.files["a.cpp"]) == _printed(tmp_path / "before", text.encode())
