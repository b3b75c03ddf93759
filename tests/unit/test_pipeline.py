"""Keys of verdicts: what they depend on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.unit.cli import ports
from transpile import parsers, pipeline
from transpile.contracts.user import UnitSettings
from transpile.core import (
    CPP,
    CUDA,
    CUDA_ON_DEVICE,
    HIP,
    HIP_ON_DEVICE,
    HIP_OR_CUDA,
    OPENMP,
    OPENMP_TARGET,
    STDPAR,
    Attempt,
    ByModel,
    Dialect,
    Evidence,
    Level,
    Optimization,
    Step,
    Transformation,
    Trial,
)
from transpile.errors import UsageError
from transpile.keys import keys_of, optimized_key, selected_key
from transpile.options import ModelOptions, PortOptions, Silent
from transpile.pipeline import chosen, refuse_without_translator, refuse_without_units, slower_than_source
from transpile.stages import Decided

KERNEL = '#include "sizes.h"\n__global__ void fill(int *out) { out[threadIdx.x] = COUNT; }\n'


def keys(root: Path, flags: tuple[str, ...]) -> dict[str, str]:
    """Return the keys of a source as it is now."""
    source = parsers.read(root, flags=flags)
    return keys_of(source, source.units, PortOptions(cache=root, flags=flags))


def test_a_verdict_depends_on_headers_beside_the_source(tmp_path: Path) -> None:
    root, include = tmp_path / "app", tmp_path / "include"
    root.mkdir()
    include.mkdir()
    (root / "main.cu").write_text(KERNEL)
    (include / "sizes.h").write_text("#define COUNT 1\n")
    flags = (f"-I{include}",)
    first = keys(root, flags)
    (include / "other.h").write_text("")
    assert keys(root, flags) == first
    (include / "sizes.h").write_text("#define COUNT 2\n")
    assert keys(root, flags) != first


def test_a_verdict_depends_on_what_was_carved_of_its_unit(tmp_path: Path) -> None:
    (tmp_path / "main.cu").write_text(KERNEL)
    (tmp_path / "sizes.h").write_text("#define COUNT 1\n")
    source = parsers.read(tmp_path)
    [unit] = [unit for unit in source.units if unit.name == "fill"]

    def key(carved: str, command: str = "./main", of: str = unit.id) -> str:
        options = PortOptions(cache=tmp_path, carve=((command,),))
        trial = Trial(seed=0, fill="real", scalars=(), carved=carved)
        return keys_of(source, source.units, options, {of: (trial,)})[unit.id]

    assert key("one") == key("one") == key("one", command="./other")
    assert key("one") != key("two")
    assert key("one", of="other") == key("two", of="other") == keys(tmp_path, ())[unit.id]


def test_functions_alone_are_something_to_port(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f(float *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n")
    for target in (OPENMP, CUDA, HIP, HIP_ON_DEVICE):
        refuse_without_translator(parsers.read(tmp_path), PortOptions(cache=tmp_path, target=target))


PLAIN = "void f(float *a) { *a = 0; }\n"


@pytest.mark.parametrize(
    ("text", "target"), [(PLAIN, CPP), (PLAIN, HIP_OR_CUDA), (KERNEL, CUDA), (KERNEL, HIP_ON_DEVICE)]
)
def test_what_leads_nowhere_is_refused(tmp_path: Path, text: str, target: Dialect) -> None:
    (tmp_path / ("a.cu" if text is KERNEL else "a.c")).write_text(text)
    options = PortOptions(cache=tmp_path, target=target, models=ModelOptions(use=("small",)))
    with pytest.raises(UsageError, match="nothing leads from"):
        refuse_without_translator(parsers.read(tmp_path), options)


def test_models_are_not_asked_for_what_rules_alone_write(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    source = parsers.read(tmp_path)
    refuse_without_translator(source, PortOptions(cache=tmp_path, target=HIP))
    options = PortOptions(cache=tmp_path, target=HIP, models=ModelOptions(use=("small",)))
    with pytest.raises(UsageError, match="models do not translate CUDA to HIP"):
        refuse_without_translator(source, options)


@pytest.mark.parametrize("target", [HIP, OPENMP_TARGET, STDPAR], ids=lambda item: item.name)
def test_models_are_asked_for_functions_in_every_model(target: Dialect, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f(int *x) { *x = 1; }")
    options = PortOptions(cache=tmp_path, target=target, models=ModelOptions(use=("small",)))
    refuse_without_translator(parsers.read(tmp_path), options)


def test_patterns_that_name_no_unit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    source = parsers.read(tmp_path)
    units = chosen(source, PortOptions(cache=tmp_path, target=OPENMP, only=("fi*",)))
    refuse_without_units(source, PortOptions(cache=tmp_path, target=OPENMP, only=("fi*",)), units)
    options = PortOptions(cache=tmp_path, target=OPENMP, only=("main.c*",))
    with pytest.raises(UsageError, match=r"is called main\.c"):
        refuse_without_units(source, options, chosen(source, options))


def test_models_write_no_functions_that_take_memory_of_the_device(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("void f(float *a) { *a = 0; }\n")
    source = parsers.read(tmp_path)
    refuse_without_translator(source, PortOptions(cache=tmp_path, target=CUDA_ON_DEVICE))
    options = PortOptions(cache=tmp_path, target=CUDA_ON_DEVICE, models=ModelOptions(use=("small",)))
    with pytest.raises(UsageError, match="memory of the device"):
        refuse_without_translator(source, options)


OURS = Transformation(name="tile", summary="Tile.", targets=("openmp",), text="Blocks of 64.")


def test_speed_is_sought_anew_where_what_is_asked_for_changed() -> None:
    found = ports.evidence("k", ports.PASSED)

    def key(evidence: Evidence = found, **asked: Any) -> str:
        return optimized_key(evidence, PortOptions(cache=Path("c"), **{"optimize": (OURS,), **asked}))

    assert key() == key(jobs=7)
    changed = replace(OURS, text="Blocks of 32.")
    other = replace(found.attempts[0], candidate=replace(found.attempts[0].candidate, parallel=False))
    keys = {
        key(),
        key(optimize=(changed,)),
        key(optimize=(OURS, changed)),
        key(models=ModelOptions(use=("small",))),
        key(replace(found, id="ba9876543210")),
        key(replace(found, attempts=(other,))),
    }
    assert len(keys) == 6


def test_rivals_are_timed_anew_where_one_of_them_changed() -> None:
    found = ports.evidence("k", ports.PASSED)
    [own] = found.attempts
    other = replace(own, candidate=replace(own.candidate, parallel=False))
    asked = [(found, ()), (found, (own,)), (found, (own, other)), (replace(found, id="ba"), (own,))]
    assert len({selected_key(evidence, rivals) for evidence, rivals in asked}) == 4


@pytest.mark.parametrize(("clocks", "order"), [(True, ["plain", "several"]), (False, ["several", "plain"])])
def test_what_has_rivals_is_timed_once_all_else_is_decided(
    clocks: bool, order: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plain, several = (ports.evidence(name, ports.PASSED) for name in ("plain", "several"))
    several = replace(several, attempts=(*several.attempts, *several.attempts))
    decided = [Decided(evidence=several), Decided(evidence=plain)]
    monkeypatch.setattr(pipeline, "translated", lambda work, units: iter(decided))
    monkeypatch.setattr(pipeline, "selected", lambda work, found: map(_selected, found))
    work = SimpleNamespace(options=PortOptions(cache=tmp_path, clocks=clocks))
    bar = Bar()
    bar.stage("judge", len(decided))
    found = list(pipeline.judged_units(work, (), bar))  # type: ignore[arg-type]
    assert bar.steps == ({"judge": 0, "select": 0} if clocks else {"judge": 0})
    assert [item.unit.name for item in found] == order
    assert [item.selection is not None for item in found] == [False, clocks]


class Bar(Silent):
    """Counts what is left of each stage."""

    def __init__(self) -> None:
        self.steps: dict[str, int] = {}

    def stage(self, name: str, total: int) -> None:
        self.steps[name] = total

    def judged(self, evidence: Evidence, *, known: bool) -> None:
        self.steps[list(self.steps)[-1]] -= 1

    decided = judged


def _selected(evidence: Evidence) -> Decided:
    return Decided(evidence=replace(evidence, selection=ports.SELECTED))


def test_what_is_slower_than_its_source_is_told() -> None:
    found = replace(ports.evidence("k", ports.PASSED), selection=ports.SELECTED)
    [told] = slower_than_source([found])
    assert told.code == "TP441" and "takes 2.00 times as long as its source with n = 4096" in told.message
    assert not list(slower_than_source([replace(found, optimization=ports.OPTIMIZED)]))
    uncertain = replace(ports.SPEEDUP, low=0.9)
    assert not list(slower_than_source([replace(found, selection=replace(ports.SELECTED, source=uncertain))]))


def test_no_translation_depends_on_what_is_done_with_it_later(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(int *x) { x[0] = 1; }\n")
    source = parsers.read(tmp_path)

    def key(models: ModelOptions) -> dict[str, str]:
        return keys_of(source, source.units, PortOptions(cache=tmp_path, models=models), stages=("models",))

    assert key(ModelOptions()) == key(ModelOptions(optimize=("tile",), transformations=tmp_path))
    assert key(ModelOptions()) != key(ModelOptions(samples=9))


def test_what_was_optimised_gives_way_to_what_it_was_made_of() -> None:
    found = ports.evidence("k", ports.PASSED)
    [first] = found.attempts
    assert first.candidate is not None
    fast = Attempt(
        candidate=replace(first.candidate, origin=ByModel(transformation="tile")), verdict=ports.PASSED
    )
    tried = Optimization(
        steps=(Step(transformation="tile", digest="", outcome="applied"),), speedup=ports.SPEEDUP
    )
    faster = replace(found, attempts=(first, fast), optimization=tried)
    back = faster.fallen(ports.FALSIFIED)
    assert back.kept(Level.TESTED) and back.attempts[-1] is first
    assert [item.verdict for item in back.attempts] == [ports.PASSED, ports.FALSIFIED, ports.PASSED]
    assert back.optimization is not None
    assert back.optimization.applied == () and back.optimization.speedup is None
    assert back.optimization.steps[0].outcome == "undone"
    # The next time it falls for good.
    again = back.fallen(ports.FALSIFIED)
    assert not again.kept(Level.TESTED) and len(again.attempts) == 4


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("twice", ""),
        ("a.c::twice(float*,int)", ""),
        ("twcie", "Did you mean 'twice'?"),
        ("b.c::twice", "Did"),
    ],
)
def test_a_correction_of_no_unit_is_told(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "a.c").write_text(
        "void twice(float *x, int n) { for (int i = 0; i < n; i++) x[i] *= 2; }\n"
    )
    units = {name: UnitSettings(target_name="doubled")}
    options = PortOptions(cache=tmp_path, units=units, settings=tmp_path / "transpile.toml")
    found = pipeline.read(tmp_path / "app", options).diagnostics
    assert [(item.code, item.path) for item in found] == ([("TP133", "../transpile.toml")] if said else [])
    assert all(f'[units."{name}"]' in item.message and said in item.hint for item in found)


def test_a_correction_may_name_an_instantiation(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "template <typename T> __global__ void k(T *x) { x[0] = 1; }\n"
        "void run(float *x) { k<float><<<1, 1>>>(x); }\n"
    )
    options = PortOptions(cache=tmp_path, units={"k<float>": UnitSettings()})
    assert not pipeline.read(tmp_path, options).diagnostics


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.c", "int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += i; return s; }\n", ["TP126"]),
        ("a.cu", "#include <cuda_runtime.h>\nint main() { cudaDeviceSynchronize(); }\n", []),
    ],
    ids=["plain C", "CUDA without kernels"],
)
def test_plain_code_of_which_nothing_is_ported_is_told(
    name: str, text: str, told: list[str], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    found = tuple(pipeline._unported(parsers.read(tmp_path), ()))
    assert [item.code for item in found] == told
    assert replace(ports.port(), diagnostics=found).exit_status == (1 if told else ports.port().exit_status)
