"""Guards that nothing takes are told from those that something may take."""

from __future__ import annotations

import pytest

from tests.unit.testers.making import INT, contract, pointer, reads, size, value, writes
from tests.unit.testers.prove.reached import never_taken
from transpile.core import Range

CONTRACT = contract(
    (pointer("x", INT, const=True), pointer("y", INT), value("n"), value("m")),
    (reads("x", "n", values=Range(low="0", high="n - 1")), writes("y", "m")),
    (size("n"), size("m", low="1")),
)
HEAD = "void f(const int *x, int *y, int n, int m) "
FOR = "for (int i = 0; i < n; i++)"
LIBRARY = (
    "void *malloc(unsigned long); int omp_get_thread_num(), omp_get_num_threads(), omp_get_max_threads();\n"
)
PARALLEL = "#pragma omp parallel for\n"


def never(body: str, *, before: str = "", path: str = "a.c", head: str = HEAD) -> list[tuple[int, int]]:
    """Return how many ways out of the lines with ``//`` nothing takes, and how many they have."""
    text = f"{LIBRARY}{before}\n{head.replace(' f(', ' space__f(')}{{\n{body}\n}}\n"
    arguments = ("x", "y", "n", "m")
    return never_taken(text, CONTRACT, arguments, path=path, name="space__f", seconds=2.0)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{PARALLEL}{FOR}\nif (i < n) //\ny[i] = 1;", (1, 2)),
        (f"{FOR} {{\nif (i >= n) break; //\n}}", (1, 2)),
        (f"{PARALLEL}{FOR} {{\nif (i < 0 || i >= n) continue; //\ny[i] = 1; }}", (2, 4)),
        ("if (!x || !y) return; //", (2, 4)),
        ("if (!x || //\n!y) return;", (2, 4)),
        ("if (n < 3 && (m > 4 || //\nm < 7 || !y)) return;", (3, 8)),
        ("if (n //\n<\n0) return;", (1, 2)),
        ("if (x == 0) return; //", (1, 2)),
        ("int *t = (int *)malloc(n);\nif (!t) return; //", (1, 2)),
        ("int *s = malloc(n), *t = malloc(n), *u = s; s = t; t = u;\nif (!s || !t) return; //", (2, 4)),
        ("if (n <= 0) return;\nswitch (n % 4) { //\ncase 1: case 2: case 3: y[0] = 1; break;\n"
         "case 0: break;\ndefault: y[0] = 2; }", (1, 3)),
        ("switch (n & 1) { //\ncase 0: y[0] = 1; break;\ncase 1: y[0] = 2; }", (1, 3)),
        (f"{PARALLEL}for (int t = 0; t < n; t += 64) {{\nint end = t + 64;\nif (end > n) end = n;\n"
         "for (int i = t; i < end; i++)\nif (i < n) //\ny[i] = 1; }", (1, 2)),
        (f"{FOR} {{ int b = x[i];\nif (b >= 0 && b < n) //\ny[b] = 1; }}", (2, 4)),
        ("long all = (long)n * m;\nfor (long k = 0; k < all; k++) {\n"
         "long i = k / m;\nif (i < n) //\ny[i] = 1; }",
         (1, 2)),
        ("if (m < 1) return; //", (1, 2)),
        (f"{FOR} {{\nif (i < n - 1) y[i] = 1;\nelse if (i == n - 1) //\ny[i] = 2; }}", (1, 2)),
        ("unsigned k = n;\nif (k < 0) return; //", (1, 2)),
        (f"#pragma omp parallel\n#pragma omp single\n{FOR} {{\nint own = i;\n"
         "#pragma omp task firstprivate(own)\n{\nif (own < n) //\ny[own] = 1;\n} }", (1, 2)),
        ("int i;\n#pragma omp parallel for private(i)\nfor (i = 0; i < n; i++)\nif (i < n) //\ny[i] = 1;",
         (1, 2)),
        ("int i, j;\n#pragma omp parallel private(j)\n{\n#pragma omp for\nfor (i = 0; i < n; i++)\n"
         "for (j = 0; j < m; j++) {\nif (i >= n || j >= m) continue; //\ny[j] = 1; } }", (2, 4)),
        ("int i, j;\n#pragma omp parallel for collapse(2)\nfor (i = 0; i < n; i++)\nfor (j = 0; j < m; j++)\n"
         "{\nif (i >= n || j >= m) continue; //\ny[j] = 1; }", (2, 4)),
        ("#pragma omp parallel\n{\nint own = 0;\n#pragma omp for\n"
         "for (int i = 0; i < n; i++) own += x[i] > 0 ? 1 : 0;\nif (n < 0) y[own] = 1; //\n}", (1, 2)),
        ("#pragma omp parallel\n{\nint me = omp_get_thread_num(), all = omp_get_num_threads();\n"
         "if (me < all) //\ny[me] = 1;\n}", (1, 2)),
        ("int first = n > 0 ? 0 : n;\n#pragma omp parallel\n{\n#pragma omp task firstprivate(first)\n{\n"
         "if (first > 0) //\ny[0] = 1;\n} }", (1, 2)),
    ],
)  # fmt: skip
def test_what_follows_from_the_text_is_never_taken(body: str, expected: tuple[int, int]) -> None:
    assert never(body) == [expected]


@pytest.mark.parametrize(
    "body",
    [
        "if (n < 1) return; //",
        "if (n == 0) return; //\nint b = x[0]; y[b] = 1;",
        "if (n > 50000) return; //\nfor (int i = n * n; i < n * n + m; i++) y[i] = 1;",
        "if (n > 50000) return; //\nfor (int i = n * n; i < m; i += m) y[i] = 1;",
        f"{FOR.replace('i < n', 'i <= n')} {{\nif (i < n) y[i] = 1; //\n}}",
        f"int end = n; {FOR.replace('i < n', 'i < end')} {{\nif (i < n) //\ny[i] = 1;\nif (x[i]) end++; }}",
        "int k = n; k = k - 5;\nif (k < 0) return; //",
        "n = n - 5;\nif (n < 0) return; //",
        "int *p = &n; *p = -1;\nif (n < 0) return; //",
        "m -= 1;\nif (m < 1) return; //",
        f"{FOR} {{ i += x[i];\nif (i >= n) break; //\n}}",
        "int i = 0; for (; i < n; i++) if (x[i]) break;\nif (i < n) y[0] = 1; //",
        f"int own = 0;\n{PARALLEL}{FOR} own = i;\nif (own > 0) y[0] = 1; //",
        f"int own = 0;\n#pragma omp parallel for lastprivate(own)\n{FOR} own = 1;\nif (own) y[0] = 1; //",
        f"int own = 0;\n#pragma omp parallel for reduction(+ : own)\n{FOR} own += 1;\nif (own) y[0] = 1; //",
        "int own = 0;\n#pragma omp parallel private(own)\n{\nif (own != 0) y[0] = 1; //\n}",
        "int own = 0;\n#pragma omp parallel\n{\n#pragma omp single\nown = 1;\nif (own) y[0] = 1; //\n}",
        "int own = 1;\n#pragma omp parallel private(own)\n{ own = 0; }\nif (own == 0) y[0] = 1; //\nown = n;",
        "int own;\n#pragma omp parallel private(own)\n{\nown = 0;\n#pragma omp single\nown = 1;\n"
        "if (own == 0) y[0] = 1; //\n}",
        "int j;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++)\nfor (j = 0; j < m; j++) {\n"
        "if (j >= m) y[0] = 1; //\n}",
        "int own = 1;\n/*\n#pragma omp parallel private(own)\n*/\n#pragma omp parallel\nown = 0;\n"
        "if (own == 0) y[0] = 1; //",
        "#pragma omp parallel\n{\nint own = 0;\n#pragma omp for\n"
        "for (int i = 0; i < n; i++) own = 1;\nif (own) y[0] = 1; //\n}",
        "int all = omp_get_num_threads();\n#pragma omp parallel\n{\n"
        "if (omp_get_thread_num() < all) //\ny[0] = 1;\n}",
        "if (omp_get_max_threads() == 1) return; //",
        "int own = 0;\n#pragma omp task shared(own)\n{\nif (own) y[0] = 1; //\n}\nown = 1;",
        "int own = 0;\n#pragma omp task shared(own)\nown = 1;\nif (own) y[0] = 1; //",
        "static int calls;\nint *t = calls ? 0 : y;\nif (!t) return; //",
        "int *t = y;\nif (n == 77) t = 0;\nif (!t) return; //",
        "const int *t = x; t++;\nif (!t) return; //",
        "unsigned char k = 0; for (int i = 0; i < n; i++) k++;\nif (k < n) y[0] = 1; //",
        "unsigned k = (unsigned)n * 9u;\nif (k < (unsigned)n) y[0] = 1; //",
        "unsigned k = n - m;\nif (k > 5) y[0] = 1; //",
        "short k = n;\nif (k < 0) y[0] = 1; //",
        "switch (y[0] % 4) { //\ncase 0: y[0] = 1; break;\n"
        "case 1: case 2: case 3: break;\ndefault: y[0] = 2; }",
        "if (n == 3) goto there;\nn = -1;\nthere:\nif (n < 0) y[0] = 1; //",
        "#ifdef SMALL\nn = -1;\n#endif\nif (n < 0) y[0] = 1; //",
        "#pragma omp parallel\n{\n#pragma omp master\n{ for (int k = 0; n > k; ) ; }\n"
        "if (n > 0) y[0] = 1; //\n}",
        f"{FOR} {{ int b = y[i];\nif (b >= 0 && b < m) //\ny[b] = 1; }}",
        f"if (n < 0) y[0] = 1; if (n == 77) y[0] = 2; //\nint z;\n"
        f"{PARALLEL}for (z = 0; z < n; z++) y[z] = 1;",
    ],
)  # fmt: skip
def test_what_may_happen_is_not_ruled_out(body: str) -> None:
    [(count, ways)] = never(body)
    assert count == 0 or (ways == 4 and count < 2), (count, ways)


def test_a_helper_may_be_given_other_numbers() -> None:
    helper = "static int space__below(int i, int n) {\nif (n < 0) return 1; //\nreturn i < n; }"
    assert never("y[0] = space__below(0, -1) + space__below(0, m);", before=helper) == [(0, 0)]


REST = """static int space__rest(unsigned length, int k) {
switch (length) { //
case 0: return 0;
case 1: k++; break;
case 2: k += 2; break;
case 3: k += 3; break; }
return k; }
"""
WHILE = f"{PARALLEL}{FOR} {{ unsigned length = x[i]; while (length > 3) length -= 4; %s }}"


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("y[0] = space__rest(length, n);", 1),
        ("y[0] = space__rest(length, n); y[1] = space__rest(2, m);", 1),
        ("if (length < 2) y[0] = space__rest(length + 2, m);", 3),
        ("y[0] = space__rest(n & 3, space__rest(length, n));", 1),
        ("y[0] = space__more(length);", 1),
        ("y[0] = (space__rest)(length, n);", 1),
    ],
)
def test_a_helper_is_given_what_its_calls_give(call: str, count: int) -> None:
    more = "static int space__more(unsigned length) { return space__rest(length, 1); }\n"
    before = REST + more * ("space__more" in call)
    assert never(WHILE % call, before=before)[0] == (count, 5)


@pytest.mark.parametrize(
    "call",
    [
        "y[0] = space__rest(length + 1, n);",
        "y[0] = space__rest(length, n); y[1] = space__rest(m, n);",
        "length++; y[0] = space__rest(length, n);",
        "y[0] = space__rest(length - 1, n);",
        "y[0] = space__rest(length++, length);",
        "int (*held)(unsigned, int) = space__rest; y[0] = held(9, n) + space__rest(length, n);",
        "y[0] = space__rest(length, n) + space__again(m);",
        "y[0] = TWICE(length);",
        "y[0] = (&space__rest)(9, n) + space__rest(length, n);",
        "y[0] = (n ? space__rest : 0)(9, n) + space__rest(length, n);",
        "for (int k = 0; k < m; k++) { y[k] = space__rest(length, n); length += 3; }",
    ],
)
def test_a_helper_may_be_given_what_some_call_gives(call: str) -> None:
    again = """static int space__again(int n) { goto there; there: return space__rest(n, 1); }
#define TWICE(k) (space__rest(k, 1) + space__rest(9, 1))
"""
    assert never(WHILE % call, before=REST + again)[0] == (0, 0)


def test_a_template_may_give_a_helper_anything() -> None:
    before = """namespace space { int rest(unsigned length) {
if (length > 3) return 1; //
return 0; }
template <typename T> int more(T length) { return rest(length); }
"""
    text = (
        f"{before}void f(const int *x, int *y, int n, int m) {{ y[0] = rest(n & 3); y[1] = more(m); }} }}\n"
    )
    assert never_taken(text, CONTRACT, ("x", "y", "n", "m")) == [(0, 0)]
    plain = text.replace("template <typename T> int more(T length) { return rest(length); }\n", "")
    assert never_taken(plain.replace("more(m)", "0"), CONTRACT, ("x", "y", "n", "m")) == [(1, 2)]


def test_a_function_that_calls_itself_may_be_given_other_numbers() -> None:
    assert never("if (n < 0) return; //\nspace__f(x, y, n - 9, m);") == [(0, 0)]
    assert never("if (n < 0) return; //\n(space__f)(x, y, n - 9, m);") == [(0, 0)]


def test_parameters_are_those_of_the_contract_by_their_places() -> None:
    swapped = HEAD.replace("int n, int m", "int m, int n")
    assert never("if (m < 1) return; //", head=swapped) == [(0, 0)]
    assert never("if (n < 1) return; //", head=swapped) == [(1, 2)]


def test_what_clang_does_not_read_shows_nothing() -> None:
    assert never("if (!x) return; //\n", before="") == [(1, 2)]
    with pytest.raises(Exception, match="does not understand"):
        never("unknown k = 1;\nif (!x) return; //\n")


@pytest.mark.parametrize(
    ("head", "body", "shown"),
    [
        (HEAD, "int k = n;\nint &r = k; r = -1;\nif (k < 0) return; //", (0, 0)),
        (HEAD, "int k = 1; auto g = [&] { k = -1; }; g();\nif (k < 0) return; //", (0, 0)),
        (HEAD, "int k = 1; auto g = [&r = k] { r = -1; }; g();\nif (k < 0) return; //", (0, 0)),
        (HEAD, "int k = 1; set(k);\nif (k < 0) return; //", (0, 0)),
        (HEAD, "int k = 1; read(k);\nif (k < 0) return; //", (1, 2)),
        (HEAD, "int k = n; try { k = -1; throw 1; } catch (int) { }\nif (k < 0) return; //", (0, 0)),
        (HEAD, "for (unsigned long i = 0; i < (unsigned long)n; ++i) {\n"
         "if (i >= (unsigned long)n) return; //\n}", (1, 2)),
    ],
)  # fmt: skip
def test_what_leads_to_a_variable_in_another_way_may_change_it(
    head: str, body: str, shown: tuple[int, int]
) -> None:
    helpers = "void set(int &k); void read(const int &k);"
    assert never(body, head=head, path="a.cpp", before=helpers) == [shown]


def test_constants_of_the_file_are_known() -> None:
    body = "if (n < most && n >= most) //\ny[0] = 1;"
    assert never(body, before="static const int most = 7;") == [(1, 4)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("auto g = [=](int k) {\nbool p = 1;\nif (p) //\ny[k] = 1;\nelse y[k] = 2;\n};\ng(0);", (1, 2)),
        ("auto g = [=](int k) {\nint tag = 0;\nswitch (tag) { //\ncase 0: y[k] = 1; break;\n"
         "case 1: y[k] = 2; break;\ndefault: y[k] = 3; }\n};\ng(0);", (2, 3)),
        ("bool p = 1;\nauto g = [=](int k) {\nif (p) //\ny[k] = 1;\nelse y[k] = 2;\n};\ng(0);", (0, 0)),
        ("auto g = [=](int k) {\nbool first = 1;\nauto h = [&] { first = k > 2; };\nh();\n"
         "if (first) //\ny[k] = 1;\nelse y[k] = 2;\n};\ng(0);", (0, 0)),
    ],
)  # fmt: skip
def test_conditions_of_lambdas_are_known_by_what_stands_in_them(body: str, expected: tuple[int, int]) -> None:
    assert never(body, path="a.cpp") == [expected]
