"""Ports with models as they are in the wild, behind a server: they think, repeat, split their code."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.integration import endpoint_server as server
from tests.integration.test_model_ports import HEAD, KERNEL, PARALLEL, RIGHT, WRONG, count, fenced
from tests.sampling import sampled
from transpile import pipeline
from transpile.core import (
    HIP,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    ByModel,
    Dialect,
    Falsified,
    Passed,
    Port,
    Rejected,
)
from transpile.options import ModelOptions, PortOptions, Silent
from transpile.report import makers
from transpile.toolchains import sandbox

pytest.importorskip("openai", reason="extra llm is not installed")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed"),
    pytest.mark.skipif(shutil.which("clang++-19") is None, reason="clang-19 is not installed"),
    pytest.mark.skipif(not sandbox.usable(), reason="no sandbox is usable here"),
]


def ported(
    root: Path, cache: Path, endpoint: server.Endpoint, target: Dialect = OPENMP, **models: Any
) -> Port:
    asked = ModelOptions(use=(f"openai:coder@{endpoint.url}",), **({"samples": 1, "repairs": 0} | models))
    options = PortOptions(
        cache=cache, out=root.with_suffix(".port"), target=target, models=asked, jobs=2, prove=0
    )
    return pipeline.port(root, options, Silent())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "source"
    made.mkdir()
    (made / "count.cu").write_text(KERNEL)
    return made


def prompts(endpoint: server.Endpoint) -> list[str]:
    """Return the last message of each request."""
    return [body["messages"][-1]["content"] for body in endpoint.bodies]


THOUGHT = f"""<think>
First I try this:
{fenced(count())}
That cannot be parallel. Perhaps
{fenced(WRONG + "// but it is the longest of all the blocks that are written here, by far: " + "x" * 200)}
</think>

A guard of its own:

{fenced("static unsigned wrapped(unsigned count, unsigned limit) { return count >= limit ? 0 : count + 1; }")}

and the loop:

```cpp
{HEAD.replace("unsigned limit", "unsigned int limit")} {{
    #pragma omp parallel for
    for (int i = 0; i < n; ++i) {{
        #pragma omp critical
        counters[keys[i]] = wrapped(counters[keys[i]], limit);
    }}
}}
```
"""


def test_the_code_behind_the_thoughts_is_judged_with_its_helpers(root: Path, cache: Path) -> None:
    with server.serving(server.good(THOUGHT)) as endpoint:
        port = ported(root, cache, endpoint)
    [evidence] = port.evidence
    assert isinstance(evidence.verdict, Passed), evidence.verdict
    assert len(endpoint.bodies) == 1
    # Rules had their say first, and the model was told of it.
    assert "Our own rules do not translate it" in prompts(endpoint)[0]
    assert "atomic-in-expression" in prompts(endpoint)[0]
    # It has atomics whose results are used, and neither barriers nor shuffles.
    assert "atomic capture" in prompts(endpoint)[0] and "__shfl" not in prompts(endpoint)[0]


@pytest.mark.thorough
def test_a_draft_that_is_right_is_kept_where_the_final_code_is_wrong(root: Path, cache: Path) -> None:
    with server.serving(server.good(fenced(RIGHT) + "Shorter:\n" + fenced(WRONG))) as endpoint:
        port = ported(root, cache, endpoint)
    [evidence] = port.evidence
    assert isinstance(evidence.verdict, Passed)
    origins = [item.origin for item in evidence.attempts if isinstance(item.origin, ByModel)]
    assert [origin.draft for origin in origins] == [0, 1]
    # What counts of an answer is what it means: this one was wrong.
    assert "0 of 1 answers right" in " ".join(makers.asked(port))


@pytest.mark.thorough
def test_a_model_is_told_of_the_race_and_shown_inputs(root: Path, cache: Path) -> None:
    # All threads write the same value: the race shows to whoever looks for it, and never in a result.
    racy = count(f"    unsigned last = 0;\n{PARALLEL}", "last = limit;\n        #pragma omp critical")
    answers = [fenced(racy), fenced(WRONG), fenced(RIGHT)]
    with server.serving(*(server.good(text) for text in answers)) as endpoint:
        port = ported(root, cache, endpoint, repairs=2)
    [evidence] = port.evidence
    assert isinstance(evidence.verdict, Passed)
    _, after_race, after_wrong = prompts(endpoint)
    assert "check: race" in after_race and "Two threads touch the same element" in after_race
    assert "called with: " in after_wrong
    assert "keys: " in after_wrong and "counters: " in after_wrong and "elements" in after_wrong
    found = [item.verdict for item in evidence.attempts if isinstance(item.verdict, Falsified)]
    assert {item.counterexample.check for item in found} >= {"race"}


@pytest.mark.thorough
def test_whoever_repeats_himself_is_told_and_asked_more_warmly(root: Path, cache: Path) -> None:
    def stubborn(handler: server.Handler, body: Mapping[str, Any]) -> None:
        right = body["temperature"] > 1.1
        handler.reply(200, server.completion([fenced(RIGHT if right else WRONG)]))

    with server.serving(usual=stubborn) as endpoint:
        port = ported(root, cache, endpoint, repairs=3)
    assert [body["temperature"] for body in endpoint.bodies] == [0.8, 0.8, 1.0, 1.2]
    assert ["Do not write it again" in text for text in prompts(endpoint)] == [False, False, True, True]
    assert isinstance(port.evidence[0].verdict, Passed)
    assert port.spent is not None
    assert any("repeats itself about `wrap_count`" in note for note in port.spent.notes)


SCALE = """__global__ void scale(float *a, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) a[i] *= 2;
}
int main() { return 0; }
"""
HALVED = "void scale(float *a, int n) { for (int i = 0; i < n; ++i) a[i] /= 2; }\n"


@pytest.mark.thorough
def test_rules_that_stand_in_for_a_model_are_named(root: Path, cache: Path) -> None:
    (root / "count.cu").write_text(SCALE)
    with server.serving(usual=server.good(fenced(HALVED))) as endpoint:
        port = ported(root, cache, endpoint, samples=4, first=True)
        alone = ported(root, cache, endpoint, samples=4, first=True, only=True)
    [evidence] = port.evidence
    assert isinstance(evidence.verdict, Passed)
    assert makers.maker(evidence, port) == "rules"
    assert makers.column(evidence, port) == "rules (model: 0 of 4 right)"
    [said] = makers.asked(port)
    assert "0 of 4 answers right" in said and "pass@1 0.0%" in said
    # Alone, nobody stands in for it.
    [evidence] = alone.evidence
    assert isinstance(evidence.verdict, Falsified) and alone.exit_status == 1
    assert makers.column(evidence, alone) == "(model: 0 of 4 right)"


PLAIN = """void axpy(double *y, const double *x, double a, int n)
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
"""
MAIN = "void axpy(double *y, const double *x, double a, int n);\nint main() { return 0; }\n"
WRITTEN = {
    OPENMP_TARGET: PLAIN.replace(
        "    for",
        "    #pragma omp target teams distribute parallel for map(tofrom : y[0 : n])"
        " map(to : x[0 : n])\n    for",
    ),
    HIP: """__global__ void axpy_kernel(double *y, const double *x, double a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

void axpy(double *y, const double *x, double a, int n)
{
    if (n <= 0) return;
    size_t bytes = n * sizeof(double);
    double *own_y, *own_x;
    hipMalloc(&own_y, bytes);
    hipMalloc(&own_x, bytes);
    hipMemcpy(own_y, y, bytes, hipMemcpyHostToDevice);
    hipMemcpy(own_x, x, bytes, hipMemcpyHostToDevice);
    axpy_kernel<<<(n + 127) / 128, 128>>>(own_y, own_x, a, n);
    hipMemcpy(y, own_y, bytes, hipMemcpyDeviceToHost);
    hipFree(own_y);
    hipFree(own_x);
}
""",
    STDPAR: """#include <algorithm>
#include <execution>
void axpy(double *y, const double *x, double a, int n)
{
    std::transform(std::execution::par, x, x + n, y, y, [a](double xi, double yi) { return yi + a * xi; });
}
""",
}


@pytest.mark.thorough
@pytest.mark.parametrize("target", sampled(WRITTEN, 3), ids=lambda item: item.name)
def test_other_targets_are_asked_of_models_too(target: Dialect, tmp_path: Path, cache: Path) -> None:
    root = tmp_path / "source"
    root.mkdir()
    (root / "axpy.cpp").write_text(PLAIN)
    (root / "main.cpp").write_text(MAIN)
    with server.serving(server.good(fenced(WRITTEN[target]))) as endpoint:
        port = ported(root, cache, endpoint, target, first=True, only=True)
    [evidence] = port.evidence
    verdict = evidence.verdict
    if isinstance(verdict, Rejected) or not isinstance(verdict, Passed):
        assert "not installed" in str(verdict), verdict
        pytest.skip("a checker is missing here")
    assert makers.maker(evidence, port) == f"openai:coder@{endpoint.url}"
    assert target.traits.prompt in endpoint.bodies[0]["messages"][0]["content"]


@pytest.mark.thorough
def test_an_answer_without_end_is_left_and_the_rest_goes_on(root: Path, cache: Path) -> None:
    from tests.integration import endpoint_streams as streams

    (root / "count.cu").write_text(SCALE.replace("int main", KERNEL.partition("int main")[0] + "int main"))
    with server.serving(usual=streams.babble) as endpoint:
        port = ported(root, cache, endpoint, answer_tokens=16)
    kept = {item.unit.name: isinstance(item.verdict, Passed) for item in port.evidence}
    assert kept == {"scale": True, "wrap_count": False}
    assert "1 without an answer" in " ".join(makers.asked(port))
    assert port.built and replace(port, evidence=()).built
