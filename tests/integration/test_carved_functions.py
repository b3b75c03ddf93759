"""Calls of plain C and C++ functions by the source's own program: how they are found, what they are for."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from transpile import parsers
from transpile.core import (
    ArrayFact,
    Binding,
    Candidate,
    Contract,
    Falsified,
    Passed,
    Range,
    Replacement,
    Role,
    ScalarFact,
    Source,
    Trial,
)
from transpile.testers import Proposal, judge
from transpile.testers.oracle.carved import CARVED, Carving, load, save
from transpile.testers.oracle.validity import Examiner, Flaw, Invalid, Reference
from transpile.testers.programs.carve import Carved, carve
from transpile.testers.run.source_bench import SourceBench
from transpile.testers.verdict.session import translation_unit
from transpile.toolchains.build import BuildFailed
from transpile.toolchains.workshop import Workshop

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="needs clang++-19 for the race check"),
]

HEADER = """
#ifdef __cplusplus
extern "C" {
#endif
struct grid { int width, height; double *cells; };
double weighed(const double *x, const int *index, int n);
void smooth(const double *x, double *y, int n);
void fill(struct grid *g, double value);
void rows(double a[][6], int n);
int classify(int *x, int n, int kind);
int depth(int *x, int n);
void touched(int *x, int n);
void past(const int *x, int n, int *sum);
void maybe(const double *x, double *y, int n);
void twice_over(int n, int *out);
#ifdef __cplusplus
}
#endif
"""
PART = """
#include "part.h"
#define REAL double
static REAL weights[16];
static int mode;
static REAL weight(int i) { return mode == 31415 ? weights[i % 16] : 1; }
double weighed(const REAL *x, const int *index, int n) {
    REAL sum = 0;
    for (int i = 0; i < n; i++) sum += x[index[i]] * weight(i);
    mode++;
    return sum;
}
void prepare(int chosen) {
    for (int i = 0; i < 16; i++) weights[i] = i;
    mode = chosen;
}
void smooth(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = 0.5 * (x[i] + x[i + 1]); }
void fill(struct grid *g, double value) {
    for (int i = 0; i < g->width * g->height; i++) g->cells[i] = value + i;
}
void rows(double a[][6], int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++) a[i][j] += i * j;
}
int classify(int *x, int n, int kind) {
    if (x[0] > 100) return x[0] - kind;
    for (int i = 0; i < n; i++) x[i] += kind;
    return 0;
}
int depth(int *x, int n) {
    x[n] = n;
    return n > 0 ? depth(x, n - 1) + 1 : 0;
}
void past(const int *x, int n, int *sum) { for (int i = 0; i < n; i++) *sum += x[i]; }
void touched(int *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }
void maybe(const double *x, double *y, int n) { for (int i = 0; i < n; i++) y[i] = x ? x[i] : 1; }
void twice_over(int n, int *out) { *out = 2 * n; }
"""
MAIN = """
#include <cstdlib>
#include <pthread.h>
#include <stdexcept>
#include <vector>
#include "part.h"
extern "C" void prepare(int chosen);
struct Span { double *begin; int length; };
static std::vector<double> kept(10);
namespace inner {
void scale(std::vector<double> &v, double factor) { for (auto &value : v) value *= factor; }
double total(Span s) { double sum = 0; for (int i = 0; i < s.length; i++) sum += s.begin[i]; return sum; }
int checked(const int *x, int n) {
    if (n > 4) throw std::runtime_error("too many");
    return x[0] + n;
}
int by_default(int *x, int n = 1) { return x[0] += n; }
template <class T> T first(const T *x) { return x[0]; }
}
static void *other_thread(void *x) { touched(static_cast<int *>(x), 1); return nullptr; }
int main(int argc, char **argv) {
    double local[4][6] = {}, *heap = static_cast<double *>(std::malloc(100 * sizeof(double)));
    int numbers[20], *index = new int[50];
    for (int i = 0; i < 20; i++) numbers[i] = i;
    for (int i = 0; i < 100; i++) heap[i] = 0.5 * i;
    for (int i = 0; i < 50; i++) index[i] = 99 - i;
    prepare(31415);
    weighed(heap, index, 50);
    rows(local + 1, 3);
    smooth(heap + 1, heap, 50);
    grid g = {10, 9, heap};
    fill(&g, 2.5);
    for (int i = 0; i < 40; i++) { numbers[0] = 1; classify(numbers, 20, 7); }
    numbers[0] = 200;
    classify(numbers, 20, 7);
    for (int n = 0; n < 15; n++) twice_over(n, index);
    depth(numbers, 5);
    pthread_t thread;
    pthread_create(&thread, nullptr, other_thread, numbers);
    pthread_join(thread, nullptr);
    for (int n : {8, 2})
        try { inner::checked(index, n); } catch (const std::exception &) {}
    inner::scale(kept, 2);
    inner::total({heap + 2, 8});
    inner::by_default(numbers);
    inner::first(numbers);
    maybe(nullptr, heap, 3);
    touched(static_cast<int *>(__builtin_alloca(numbers[1] + 40)), 2);
    past(index + 51, 0, index);
    if (argc > 1) { maybe(heap, heap + 50, 51); return 0; }
    delete[] index;
    return 0;
}
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    root = tmp_path_factory.mktemp("source")
    (root / "part.h").write_text(HEADER)
    (root / "part.c").write_text(PART)
    (root / "main.cpp").write_text(MAIN)
    (root / "Makefile").write_text(
        "main: main.o part.o\n\tg++ -o main main.o part.o -lpthread\n"
        "main.o: main.cpp\n\tg++ -c main.cpp\npart.o: part.c\n\tgcc -std=c99 -c part.c\n"
    )
    return parsers.read(root)


@pytest.fixture(scope="module")
def carved(workshop: Workshop, source: Source) -> Carved:
    return carve(workshop, source, [("./main",)])


def identifier(source: Source, name: str) -> str:
    [found] = [unit.id for unit in source.units if unit.name == name]
    return found


def trials(source: Source, carved: Carved, name: str) -> tuple[Trial, ...]:
    return carved.trials.get(identifier(source, name), ())


def proposal(source: Source, contract: Contract, text: str, *given: Trial) -> Proposal:
    signature = contract.signature
    unit = source.unit(identifier(source, signature.name))
    candidate = Candidate(
        unit=unit.id,
        replacements=(Replacement(unit=unit.id, text=text.encode()),),
        binding=Binding(name=signature.name, arguments=signature.names),
    )
    return Proposal(unit=unit, contracts=(contract,), candidate=candidate, given=given)


def call(workshop: Workshop, trial: Trial) -> Carving:
    return load(workshop.cache / CARVED, trial.carved)


def examined(
    workshop: Workshop, source: Source, name: str, given: Sequence[Trial]
) -> list[Reference | Invalid]:
    """Return what the source makes of trials, whatever is known of its contract."""
    unit = source.unit(identifier(source, name))
    [signature] = source.signatures[unit.id]
    contract = Contract(signature=signature, arrays=(), scalars=(), law=None)
    place = translation_unit(source, unit.translation_unit)
    with closing(SourceBench(workshop, source, place, [(signature,)])) as bench:
        found = Examiner(workshop, bench, contract).examine(given)
    assert not isinstance(found, BuildFailed), found.output
    return found


VALID = {
    "weighed": [800, 200, 4],
    "smooth": [800, 0, 4],
    "fill": [16, 4, 4, 800, 8],
    "rows": [192, 4],
    "inner::scale": [80, 8, 8],
    "inner::total": [16, 800],
}


@pytest.mark.parametrize("name", VALID)
def test_objects_have_the_size_that_the_program_gave_them(
    workshop: Workshop, source: Source, carved: Carved, name: str
) -> None:
    given = trials(source, carved, name)
    sizes = [[len(item.before) for item in call(workshop, trial).arguments] for trial in given]
    expected = VALID[name] if name != "inner::scale" else [80, 8, 8]
    assert sizes == [expected], carved.diagnostics
    found = examined(workshop, source, name, given)
    assert all(isinstance(item, Reference) for item in found), found


def test_variables_and_what_is_returned_have_to_agree(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    [trial] = trials(source, carved, "weighed")
    kept = call(workshop, trial)
    variables = dict(kept.variables)
    assert (variables["mode"].before.view("i4")[0], variables["mode"].after.view("i4")[0]) == (31415, 31416)
    assert kept.returned is not None

    def flaw(changed: Carving) -> tuple[Flaw, str]:
        other = replace(trial, carved=save(workshop.cache / CARVED, changed))
        [found] = examined(workshop, source, "weighed", [other])
        assert isinstance(found, Invalid)
        return found.flaw, found.detail

    assert flaw(replace(kept, returned=kept.returned ^ 0x10)) == (Flaw.ELSEWHERE, "(returned)")
    same = tuple((name, replace(item, after=item.before)) for name, item in kept.variables)
    assert flaw(replace(kept, variables=same)) == (Flaw.ELSEWHERE, "mode")


def test_calls_of_another_path_or_shape_are_kept_and_few_of_them(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    paths = [
        call(workshop, trial).arguments[0].before.view("i4")[0]
        for trial in trials(source, carved, "classify")
    ]
    assert paths == [1, 200]
    assert [dict(trial.scalars)["n"] for trial in trials(source, carved, "twice_over")] == list(range(6))


def test_calls_that_do_not_come_back_or_are_made_within_are_not_kept(source: Source, carved: Carved) -> None:
    assert [dict(trial.scalars) for trial in trials(source, carved, "depth")] == [{"n": 5}]
    assert [dict(trial.scalars) for trial in trials(source, carved, "inner::checked")] == [{"n": 2}]
    assert not trials(source, carved, "touched"), "of another thread, and of memory without bounds"


def test_what_is_not_carved_is_said(carved: Carved) -> None:
    told = "\n".join(item.message for item in carved.diagnostics)
    for text in (
        "part.c::maybe(const double*,double*,int)` gives no trial: a null pointer",
        "part.c::touched(int*,int)` gives no trial: a pointer leads to no",
        "part.c::past(const int*,int,int*)` gives no trial: a pointer leads to no",
        "`inner::by_default` give no trials: its definition is of a form",
        "`inner::first` give no trials: it is a template",
        "`other_thread` give no trials: what it returns is a pointer",
    ):
        assert text in told
    assert len(carved.diagnostics) == 6, told


def test_the_same_run_gives_the_same_data(workshop: Workshop, source: Source, carved: Carved) -> None:
    assert carve(workshop, source, [("./main",)]) == carved


def test_what_only_the_program_shows_is_refused(workshop: Workshop, source: Source, carved: Carved) -> None:
    unit = source.unit(identifier(source, "weighed"))
    [signature] = source.signatures[unit.id]
    contract = Contract(
        signature=signature,
        arrays=(
            ArrayFact(name="x", role=Role.IN, extent="n"),
            ArrayFact(name="index", role=Role.IN, extent="n", values=Range(low="0", high="0")),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="10000"), size=True),),
        law=None,
    )
    right = """double weighed(const double *x, const int *index, int n) {
        double sum = 0;
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < n; i++) sum += x[index[i]] * weight(i);
        mode++;
        return sum;
    }
    """

    [trial] = trials(source, carved, "weighed")
    wrong = right.replace("x[index[i]]", "x[0]")
    proposals = [proposal(source, contract, text, trial) for text in (right, wrong)]
    good, refused = judge(workshop, source, proposals)
    assert isinstance(good.verdict, Passed), good.verdict
    assert "carved (1)" in good.verdict.guarantee.checks
    assert isinstance(refused.verdict, Falsified) and refused.verdict.counterexample.trial == trial


SMOOTH = """void smooth(const double *x, double *y, int n) {
    #pragma omp parallel for
    for (int i = 0; i < n; i++) y[i] = 0.5 * (x[i] + x[i + 1]);
}
"""


def test_arrays_that_overlap_in_the_program_are_no_loop_for_threads(
    workshop: Workshop, source: Source, carved: Carved
) -> None:
    unit = source.unit(identifier(source, "smooth"))
    contract = Contract(
        signature=source.signatures[unit.id][0],
        arrays=(
            ArrayFact(name="x", role=Role.IN, extent="n + 1"),
            ArrayFact(name="y", role=Role.OUT, extent="n"),
        ),
        scalars=(ScalarFact(name="n", values=Range(low="0", high="10000"), size=True),),
        law=None,
    )

    [trial] = trials(source, carved, "smooth")
    apart, sequential, parallel = judge(
        workshop,
        source,
        [
            proposal(source, contract, SMOOTH),
            proposal(source, contract, SMOOTH.replace("#pragma", "//"), trial),
            proposal(source, contract, SMOOTH, trial),
        ],
    )
    assert isinstance(apart.verdict, Passed), apart.verdict
    assert isinstance(sequential.verdict, Passed), sequential.verdict
    assert isinstance(parallel.verdict, Falsified) and parallel.verdict.counterexample.trial == trial


FAULTY = """
#include <stdlib.h>
void past(const int *x, int n, int *sum) { for (int i = 0; i < n; i++) *sum += x[i]; }
void touched(int *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }
int main(int argc, char **argv) {
    int *x = malloc(4 * sizeof *x);
    volatile int beyond = x[4];
    touched(x, 4);
    free(x);
    return argc > 1;
}
"""


def test_a_program_with_faults_is_carved_all_the_same(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(FAULTY)
    (tmp_path / "Makefile").write_text("main: main.c\n\tgcc -o main main.c\n")
    source = parsers.read(tmp_path)
    found = carve(workshop, source, [("./main",)])
    assert len(trials(source, found, "touched")) == 1, found.diagnostics
    [told] = carve(workshop, source, [("./main", "1")]).diagnostics
    assert "exits with status 1" in told.message
