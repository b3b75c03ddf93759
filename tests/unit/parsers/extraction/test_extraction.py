"""Loops become functions where these mean the same, and nothing of a file is lost on the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import Source
from transpile.parsers.extraction.extraction import LoopChoice
from transpile.parsers.extraction.restoring import as_written, restored
from transpile.parsers.extraction.tidying import tidied


def extracted(root: Path, text: str, name: str = "a.c") -> Source:
    """Return a source with all loops as functions that can be."""
    (root / name).write_text(text)
    asked: list[Source] = []

    def all_loops(source: Source) -> LoopChoice | None:
        asked.append(source)
        return LoopChoice(units=frozenset(unit.id for unit in source.units)) if len(asked) == 1 else None

    return parsers.read(root, chooser=all_loops)


def _functions(source: Source) -> list[str]:
    return [source.unit(name).text.decode() for name in source.extracted]


def _calls(source: Source) -> list[str]:
    return [loop.call.of(source.files[loop.path]).decode() for loop in source.extracted.values()]


NODE = "struct node { int n; float *x; float total; float d[128]; };\n"
MOVED = {
    "what the loop names is handed on": (
        "void f(int n, const float *x, float *y)\n{\n    int i;\n    for (i = 0; i < n; i++)\n"
        "        y[i] = 2 * x[i];\n}\n",
        "static void f_loop1(int n, float *y, const float *x)\n{\n    int i;\n    for (i = 0; i < n; i++)\n"
        "        y[i] = 2 * x[i];\n}",
        "f_loop1(n, y, x);",
    ),
    "members are, and the structure is not": (
        NODE + "void f(struct node *p)\n{\n    for (int i = 0; i < p->n; i++)\n        p->x[i] += 1;\n}\n",
        "static void f_loop1(int p_n, float *p_x)\n{\n    for (int i = 0; i < p_n; i++)\n"
        "        p_x[i] += 1;\n}",
        "f_loop1(p->n, p->x);",
    ),
    "arrays in a structure keep their lengths": (
        NODE + "void f(struct node *p)\n{\n    for (int i = 0; i < 128; i++)\n        p->d[i] = 0;\n}\n",
        "static void f_loop1(float p_d[128])\n{\n    for (int i = 0; i < 128; i++)\n        p_d[i] = 0;\n}",
        "f_loop1(p->d);",
    ),
    "one number that changes is returned": (
        "float f(int n, const float *x)\n{\n    float s = 0;\n    for (int i = 0; i < n; i++)\n"
        "        s += x[i];\n    return s;\n}\n",
        "static float f_loop1(int n, float s, const float *x)\n{\n    for (int i = 0; i < n; i++)\n"
        "        s += x[i];\n    return s;\n}",
        "s = f_loop1(n, s, x);",
    ),
    "a member that changes is, too": (
        NODE
        + "void f(struct node *p)\n{\n    for (int i = 0; i < p->n; i++)\n        p->total += p->x[i];\n}\n",
        "static float f_loop1(int p_n, float p_total, float *p_x)\n{\n"
        "    for (int i = 0; i < p_n; i++)\n        p_total += p_x[i];\n    return p_total;\n}",
        "p->total = f_loop1(p->n, p->total, p->x);",
    ),
    "several come back behind pointers": (
        "void f(int n, const int *x, int *r)\n{\n    int a = 0, b = 0;\n    for (int i = 0; i < n; i++) {\n"
        "        a += x[i];\n        b ^= x[i];\n    }\n    r[0] = a - b;\n}\n",
        "static void f_loop1(int n, int *a_out, int *b_out, const int *x)\n{\n    int a = *a_out;\n"
        "    int b = *b_out;\n    for (int i = 0; i < n; i++) {\n        a += x[i];\n        b ^= x[i];\n"
        "    }\n    *a_out = a;\n    *b_out = b;\n}",
        "f_loop1(n, &a, &b, x);",
    ),
    "a temporary is the function's own": (
        "void f(int n, int *x)\n{\n    int i, t;\n    for (i = 0; i < n; i++)\n"
        "        t = x[i], x[i] = x[n + i], x[n + i] = t;\n}\n",
        "static void f_loop1(int n, int *x)\n{\n    int i;\n    int t;\n    for (i = 0; i < n; i++)\n"
        "        t = x[i], x[i] = x[n + i], x[n + i] = t;\n}",
        "f_loop1(n, x);",
    ),
    "hints for compilers go along": (
        "void f(int n, int *x)\n{\n    x[0] = 1;\n    // fast\n    #pragma ivdep\n    #pragma unroll(4)\n"
        "    for (int i = 1; i < n; i++)\n        x[i] = i;\n}\n",
        "static void f_loop1(int n, int *x)\n{\n    #pragma ivdep\n    #pragma unroll(4)\n"
        "    for (int i = 1; i < n; i++)\n        x[i] = i;\n}",
        "f_loop1(n, x);",
    ),
    "what only macros name is handed on under its name": (
        "#define A(i, j) a[(i) + rows * (j)]\nvoid f(int rows, double *a)\n{\n    int i, j;\n"
        "    for (j = 0; j < 99; j++)\n        for (i = 0; i < rows; i++)\n            A(i, j) += 1;\n}\n",
        "static void f_loop1(int rows, double *a)\n{\n    int j;\n    int i;\n"
        "    for (j = 0; j < 99; j++)\n        for (i = 0; i < rows; i++)\n            A(i, j) += 1;\n}",
        "f_loop1(rows, a);",
    ),
    "a counter that is read behind the loop comes back": (
        "int f(int n, int *x)\n{\n    int i;\n    for (i = 0; i < n; i++)\n        x[i] = 1;\n"
        "    return i;\n}\n",
        "static int f_loop1(int n, int *x)\n{\n    int i;\n    for (i = 0; i < n; i++)\n        x[i] = 1;\n"
        "    return i;\n}",
        "i = f_loop1(n, x);",
    ),
}


@pytest.mark.parametrize("case", MOVED)
def test_a_loop_becomes_a_function(tmp_path: Path, case: str) -> None:
    """The function is handed what the loop needs, and gives back what is read later."""
    text, function, call = MOVED[case]
    source = extracted(tmp_path, text)
    assert _functions(source) == [function]
    assert _calls(source) == [call]
    assert as_written(source).files["a.c"] == text.encode()


LEFT = {
    "it leaves the function": (
        "int f(int n, int *x) { for (int i = 0; i < n; i++) if (x[i]) return i; return 0; }"
    ),
    "it prints": (
        '#include <stdio.h>\nvoid f(int n, int *x) { for (int i = 0; i < n; i++) printf("%d", x[i]); }'
    ),
    "a jump goes into it": (
        "void f(int n, int *x) { for (int i = 0; i < n; i++) { again: x[i]++; } goto again; }"
    ),
    "it moves a pointer": "void f(int n, int *x) { for (int i = 0; i < n; i++) *x++ = i; }",
    "it asks for the size of an array": (
        "int f(void) { int a[90]; for (unsigned i = 0; i < sizeof(a) / 4; i++) a[i] = i; return a[3]; }"
    ),
    "a variable lives on": "void f(int n, int *x) { static int s; for (int i = 0; i < n; i++) x[i] = s++; }",
    "an address is kept": (
        "int f(int n, int *x)"
        " { int s = 0, *p = &s; for (int i = 0; i < n; i++) { s++; x[i] = *p; } return s; }"
    ),
    "it hands an address on": (
        "void g(int *); int f(int n) { int s = 0; for (int i = 0; i < n; i++) g(&s); return s; }"
    ),
    "it follows a list": (
        "struct l { struct l *next; int v; };\n"
        "void f(int n, struct l *p) { for (int i = 0; i < n; i++) { p->v = i; p = p->next; } }"
    ),
    "two structures may be one": (
        NODE + "void f(struct node *p, struct node *q) { for (int i = 0; i < 99; i++) p->n += q->n; }"
    ),
    "a callee sets the member": (
        NODE + "void g(struct node *p) { p->n--; }\nstruct node *all;\n"
        "void h(void) { g(all); }\n"
        "void f(struct node *p) { for (int i = 0; i < p->n; i++) { p->x[i] = 1; h(); } }"
    ),
    "a macro sets a variable": (
        "#define NEXT s += 3\nint f(int n, int *x)"
        " { int s = 0; for (int i = 0; i < n; i++) { NEXT; x[i] = s; } return s; }"
    ),
    "a macro stands for a variable": (
        "#define TOTAL s\nint f(int n, int *x)"
        " { int s = 0; for (int i = 0; i < n; i++) { TOTAL += x[i]; } return s; }"
    ),
    "a macro stands for a pointer": (
        "#define NEXT(k) x\nvoid f(int n, int *x, int *y)"
        " { for (int i = 0; i < n; i++) { y[i] = *x; NEXT(0) = y; } }"
    ),
    "threads run it already": (
        "void f(int n, int *x) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = i;\n}"
    ),
    "a directive is for it": (
        "void f(int n, int *x) {\n#pragma GCC ivdep\nfor (int i = 0; i < n; i++) x[i] = i;\n}"
    ),
    "the array is short": (
        "void f(int v[8], int *x) { int a[8]; for (int i = 0; i < 8; i++) a[i] = x[i]; v[0] = a[1]; }"
    ),
}


@pytest.mark.parametrize("case", LEFT)
def test_a_loop_stays(tmp_path: Path, case: str) -> None:
    """Loops that would mean something else in functions of their own stay."""
    assert not extracted(tmp_path, LEFT[case]).extracted


def test_a_loop_around_what_prints_is_looked_into(tmp_path: Path) -> None:
    """The loops in a loop that prints are candidates themselves."""
    text = (
        "#include <stdio.h>\nint main(void)\n{\n    static float x[999];\n    float *y = x;\n    int i, t;\n"
        "    for (t = 0; t < 9; t++) {\n        for (i = 0; i < 999; i++)\n            y[i] += t;\n"
        '        printf("%f\\n", y[t]);\n    }\n    return 0;\n}\n'
    )
    source = extracted(tmp_path, text)
    assert _calls(source) == ["main_loop2(t, y);"]
    [loop] = source.extracted.values()
    assert loop.line == 8


def test_what_does_not_compile_stays(tmp_path: Path) -> None:
    """Nobody knows which names are members if a header is missing."""
    text = CLASS.replace("class field {", "#include <views.h>\nclass field {\n    view<int *> u;")
    assert not extracted(tmp_path, text.replace("v_[i] = a", "u[i] = a"), "a.cpp").extracted


CLASS = """#include <vector>
class field {
public:
    explicit field(int n) : n_(n), v_(n), w_(n) {}
    void scale(double a);
    double norm() const
    {
        double s = 0;
        for (int i = 0; i < n_; i++)
            s += v_[i] * v_[i];
        return s;
    }
    void twice() { for (int i = 0; i < n_; i++) set(i); }
    void set(int i) { v_[i] = i; }
private:
    int n_;
    std::vector<double> v_, w_;
};

void field::scale(double a)
{
    for (int i = 0; i < n_; i++)
        v_[i] = a * this->w_[i];
}
"""


def test_loops_of_methods(tmp_path: Path) -> None:
    """Members of the object are handed on; what calls another method of it stays."""
    source = extracted(tmp_path, CLASS, "a.cpp")
    assert _functions(source) == [
        "static double norm_loop1(int n_, double s, const std::vector<double> &v_)\n{\n"
        "    for (int i = 0; i < n_; i++)\n        s += v_[i] * v_[i];\n    return s;\n}",
        "static void scale_loop1(int n_, double a, std::vector<double> &v_, std::vector<double> &w_)\n{\n"
        "    for (int i = 0; i < n_; i++)\n        v_[i] = a * w_[i];\n}",
    ]
    assert source.files["a.cpp"].index(b"norm_loop1(int") < source.files["a.cpp"].index(b"class field")
    assert as_written(source).files["a.cpp"] == CLASS.encode()


def test_some_loops_go_back(tmp_path: Path) -> None:
    """Units stand where their texts are, whichever loops stay functions."""
    text = "".join(
        f"/* {name} */\nvoid {name}(int n, int *x)\n{{\n    for (int i = 0; i < n; i++)\n        x[i] = i;\n"
        "    for (int i = 0; i < n; i++)\n        x[i] += 2;\n}\n\n"
        for name in "fgh"
    )
    source = extracted(tmp_path, text)
    assert len(source.extracted) == 6
    for kept in (set(), {"a.c::g_loop1(int,int*)"}, set(source.extracted)):
        some = restored(source, kept)
        assert set(some.extracted) == kept
        for unit in some.units:
            assert unit.span.of(some.files[unit.path]) == unit.text
        for loop in some.extracted.values():
            assert loop.call.of(some.files["a.c"]).endswith(b"(n, x);")
            assert loop.function.of(some.files["a.c"]).startswith(b"static void ")
    assert as_written(source).files["a.c"] == text.encode()


def test_members_are_no_elements(tmp_path: Path) -> None:
    """A member that is handed on by value is told where an array of its type is written."""
    text = (
        "struct list { int n, m; int *index; float *value; };\n"
        "void f(struct list *p) { for (int i = 0; i < p->n; i++) p->index[i] = p->index[i] + 1; }\n"
        "void g(struct list *p) { for (int i = 0; i < p->n; i++) p->value[i] = p->index[i]; }\n"
    )
    told = {
        name.partition("(")[0]: loop.supposed for name, loop in extracted(tmp_path, text).extracted.items()
    }
    assert told == {"a.c::f_loop1": ("`p->n` is no element of `p->index`",), "a.c::g_loop1": ()}


def test_names_of_extracted_loops_go(tmp_path: Path) -> None:
    """Variables that nothing uses any more are not declared any more; all others are."""
    text = (
        "int f(int n, int *x, int *y)\n{\n    int i, j, *p;\n    int k;\n    int t, u, v;\n    j = x[0];\n"
        "    for (i = 0; i < n; i++) {\n        t = x[i];\n        v = t;\n        y[i] = v;\n    }\n"
        "    for (k = 0; k < n; k++)\n        y[k] += 1;\n    p = y;\n    u = *p;\n    return j + u;\n}\n"
    )
    source = tidied(extracted(tmp_path, text))
    whole = source.unit("a.c::f(int,int*,int*)").text.decode()
    assert whole == (
        "int f(int n, int *x, int *y)\n{\n    int j, *p;\n    int u;\n    j = x[0];\n    f_loop1(n, x, y);\n"
        "    f_loop2(n, y);\n    p = y;\n    u = *p;\n    return j + u;\n}"
    )
    for loop in source.extracted.values():
        assert loop.call.of(source.files["a.c"]).startswith(b"f_loop")


def test_pointers_lead_to_objects(tmp_path: Path) -> None:
    """A pointer that only the loop's body follows is followed ahead of it, too."""
    text = (
        NODE + "void f(int n, struct node *p) { for (int i = 0; i < n; i++) p->x[i] = 1; }\n"
        "void g(struct node *p) { for (int i = 0; i < p->n; i++) p->x[i] = 1; }\n"
    )
    told = {
        name.partition("(")[0]: loop.supposed for name, loop in extracted(tmp_path, text).extracted.items()
    }
    assert told == {
        "a.c::f_loop1": ("`p` leads to an object, also where the loop at it has no iterations",),
        "a.c::g_loop1": (),
    }


def test_lines_are_those_on_disk(tmp_path: Path) -> None:
    """A unit is told of at the line at which its text is on disk."""
    text = (
        "void f(int n, int *x)\n{\n    for (int i = 0; i < n; i++) {\n        x[i] = i;\n    }\n}\n\n"
        "int g(int n)\n{\n    return n;\n}\n"
    )
    source = extracted(tmp_path, text)
    lines = {unit.name: unit.line for unit in source.units}
    assert lines["f"] == 1
    assert lines["g"] == 8
    assert lines["f_loop1"] == 1
    [loop] = source.extracted.values()
    assert (loop.line, loop.row) == (3, 2)
