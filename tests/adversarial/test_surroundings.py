"""Translations that compute what they should, and leave something else changed behind them."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from tests.adversarial import needs
from tests.adversarial.direct import judged
from tests.conftest import Once
from tests.integration.functions import check
from transpile import parsers
from transpile.core import Falsified, Rejected, Verdict
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

AXPY = "void axpy(int n, double a, const double *x, double *y) "
SOURCE = AXPY + "{ for (int i = 0; i < n; i++) y[i] += a * x[i]; }\n"
LOOP = "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] += a * x[i];\n"

CHANGED = {
    "rounding": "fesetround(FE_UPWARD);",
    "threads of later regions": "omp_set_num_threads(2);",
    "schedule of later loops": "omp_set_schedule(omp_sched_dynamic, 7);",
    "output": 'if (n > 3) printf("done\\n");',
    "a closed stream": "fclose(stdout);",
}
if platform.machine() == "x86_64":
    CHANGED["small numbers become zero"] = "__builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);"
KEPT_BETWEEN_CALLS = {
    "scratch": "{ static double t[8]; t[0] = a;" + LOOP + "}",
    "a count": "{ static int calls; calls++;" + LOOP + "}",
    "a file's variable": "{" + LOOP + "}\nstatic double last;",
}


@pytest.fixture(scope="module")
def found(once: Once, workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root: Path = tmp_path_factory.mktemp("source")
    (root / "work.c").write_text(SOURCE)
    source = parsers.read(root)
    texts = {name: AXPY + "{" + LOOP + text + "}" for name, text in CHANGED.items()}
    texts |= {name: AXPY + text for name, text in KEPT_BETWEEN_CALLS.items()}
    texts["nothing"] = AXPY + "{ static const double one = 1;" + LOOP.replace("a *", "a * one *") + "}"
    return once("surroundings", lambda: judged(workshop, source, texts))


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_changed_beside_the_data_is_no_translation(found: dict[str, Verdict], name: str) -> None:
    verdict = found[name]
    assert isinstance(verdict, Falsified), verdict
    assert verdict.counterexample.check == "surroundings"


@pytest.mark.parametrize("name", KEPT_BETWEEN_CALLS)
def test_two_callers_would_share_what_is_kept(found: dict[str, Verdict], name: str) -> None:
    verdict = found[name]
    assert isinstance(verdict, Rejected), verdict
    assert "keeps data between calls" in verdict.diagnostics[0].message


def test_constants_may_outlive_a_call(found: dict[str, Verdict]) -> None:
    assert check(found["nothing"]) == "kept", found["nothing"]
