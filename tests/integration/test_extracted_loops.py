"""Loops of methods are judged as functions; what is not kept stands where it stood."""

from __future__ import annotations

from pathlib import Path

from tests.integration.test_own_build import port
from transpile.lock import check

FIELD = """\
#pragma once
#include <vector>

class Field {
public:
    explicit Field(int n) : n_(n), now_(n, 1.0), next_(n) {}
    void step(double weight);
    double at(int i) const { return now_[i]; }

private:
    int n_;
    std::vector<double> now_, next_;
};
"""
STEP = """\
#include "field.h"

void Field::step(double weight)
{
    // the border stays
    for (int i = 1; i < n_ - 1; i++)
        next_[i] = now_[i] + weight * (now_[i - 1] - 2 * now_[i] + now_[i + 1]);
    now_.swap(next_);
}
"""
MAIN = """\
#include "field.h"
#include <cstdio>

int main()
{
    Field field(4000);
    double sum = 0;
    for (int t = 0; t < 8; t++) {
        field.step(0.125);
        std::printf("%.6f\\n", field.at(17));
    }
    for (int i = 1; i < 4000; i++)
        sum = 0.5 * sum + field.at(i);
    std::printf("%.6f\\n", sum);
    return 0;
}
"""
MAKEFILE = "diffuse: main.o field.o\n\t$(CXX) -o $@ $^\nmain.o field.o: field.h\nrun: diffuse\n\t./diffuse\n"


def test_the_loop_of_a_method_is_kept(tmp_path: Path, cache: Path) -> None:
    files = {"field.h": FIELD, "field.cpp": STEP, "main.cpp": MAIN, "Makefile": MAKEFILE}
    ended, told = port(tmp_path, cache, files)
    [unit] = told["units"]
    assert ended == 0, told
    assert (unit["name"], unit["line"], unit["kept"]) == ("step_loop1", 4, True)
    assert [item["verdict"] for item in told["programs"]] == ["passed"]
    assert told["build"]["own"]["outcome"] == "builds"
    text = (tmp_path / "out" / "field.cpp").read_text()
    assert "#pragma omp parallel for" in text
    assert "    // the border stays\n    step_loop1(n_, weight, next_, now_);\n" in text
    # Nobody runs a recurrence in parallel, nor what prints.
    assert (tmp_path / "out" / "main.cpp").read_text() == MAIN
    assert check(tmp_path / "out" / "transpile.lock") == ()
    changed = STEP.replace("2 * now_[i]", "2.0 * now_[i]")
    (tmp_path / "source" / "field.cpp").write_text(changed)
    assert [item.unit.partition("(")[0] for item in check(tmp_path / "out" / "transpile.lock")] == [
        "field.cpp::Field::step",
        "field.cpp::step_loop1",
    ]
