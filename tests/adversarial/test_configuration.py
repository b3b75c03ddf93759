"""A configuration that comes with a repository, and what it would have: code, keys, money, files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integration import endpoint_server as server
from tests.sampling import sampled
from transpile.options import ModelOptions

pytest.importorskip("openai", reason="extra llm is not installed")

SECRET = "sk-marker-0123456789"
KERNEL = (
    "__global__ void scale(float *x, float f, int n)\n"
    "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) x[i] *= f;\n}\n"
)
SAID = "A repository does not say where data goes or what is spent"


@pytest.fixture
def endpoint() -> Iterator[server.Endpoint]:
    """Return an endpoint of the attacker's."""
    with server.serving() as running:
        yield running


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = tmp_path / "clone"
    root.mkdir()
    (root / "scale.cu").write_text(KERNEL)
    return root


def transpile(cache: Path, place: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a user with a key would, and a configuration of his own where there is one."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HOME": str(place / "home"),
        "TRANSPILE_CACHE": str(cache),
        "OPENAI_API_KEY": SECRET,
    }
    return subprocess.run(
        [sys.executable, "-c", "from transpile.cli.main import main; main()", *map(str, words)],
        capture_output=True, text=True, env=environment, timeout=300, check=False,
    )  # fmt: skip


def port(cache: Path, place: Path, root: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return transpile(
        cache, place, "port", root, "--to", "openmp", "--out", place / "out", "--prove", "0", *words
    )


def asking(url: str) -> str:
    return f'[models]\nuse = ["openai:gpt@{url}"]\nfirst = true\nsamples = 1\nrepairs = 0\n'


def as_project(text: str) -> str:
    """Return the text as it stands in ``pyproject.toml``."""
    return text.replace("[models]", "[tool.transpile.models]")


@pytest.mark.parametrize("name", sampled(["transpile.toml", "pyproject.toml", "../transpile.toml"], 3))
def test_nothing_is_sent_where_a_repository_says(
    name: str, clone: Path, cache: Path, tmp_path: Path, endpoint: server.Endpoint
) -> None:
    text = asking(endpoint.url)
    (clone / name).write_text(as_project(text) if name == "pyproject.toml" else text)
    done = port(cache, tmp_path, clone)
    assert endpoint.bodies == []
    assert f"{(clone / name).resolve()}: ignored: [models]. {SAID}" in done.stderr
    assert done.stderr.count(SAID) == 1
    assert (
        f"--trust-config obeys this file; settings of your own go into {tmp_path}/home/.config" in done.stderr
    )
    assert done.returncode == 0, done.stderr


def test_who_trusts_it_is_asked_for_but_keeps_his_key(
    clone: Path, cache: Path, tmp_path: Path, endpoint: server.Endpoint
) -> None:
    (clone / "transpile.toml").write_text(asking(endpoint.url))
    done = port(cache, tmp_path, clone, "--trust-config")
    assert endpoint.bodies, done.stderr
    assert SECRET not in repr(endpoint.headers)
    assert SAID not in done.stderr


@pytest.mark.thorough
def test_the_users_own_configuration_is_obeyed(
    clone: Path, cache: Path, tmp_path: Path, endpoint: server.Endpoint
) -> None:
    (clone / "transpile.toml").write_text('[models]\nuse = ["openai:gpt@http://127.0.0.1:1/v1"]\n')
    own = tmp_path / "home" / ".config" / "transpile" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(asking(endpoint.url))
    done = port(cache, tmp_path, clone)
    assert endpoint.bodies, done.stderr


def test_a_named_model_is_not_spent_on_by_a_repositorys_terms(
    clone: Path, cache: Path, tmp_path: Path, endpoint: server.Endpoint
) -> None:
    """Samples, repairs and prices, by which a budget is reckoned, are the user's as well."""
    (clone / "transpile.toml").write_text("[models]\nsamples = 500\nfirst = true\nanswer_tokens = 1\n")
    port(
        cache,
        tmp_path,
        clone,
        "--model",
        f"openai:gpt@{endpoint.url}",
        "--translator",
        "llm",
        "--repairs",
        "0",
    )
    own = ModelOptions().answer_tokens
    assert {(body.get("n", 1) <= 4, body["max_tokens"]) for body in endpoint.bodies} == {(True, own)}


@pytest.mark.parametrize("where", ["../home/.ssh", "{home}/.ssh", "inside"])
def test_nothing_is_written_where_a_repository_says(
    where: str, clone: Path, cache: Path, tmp_path: Path
) -> None:
    place = where.format(home=tmp_path / "home")
    (tmp_path / "transpile.toml").write_text(f'target = "openmp"\nout = "{place}"\n')
    done = transpile(cache, tmp_path, "port", clone)
    assert done.returncode == 2
    assert "no output directory is given" in done.stderr
    assert f"ignored: out. {SAID}" in done.stderr
    assert sorted(item.name for item in tmp_path.iterdir()) == ["clone", "transpile.toml"]


def test_no_program_is_run_by_a_flag(clone: Path, cache: Path, tmp_path: Path) -> None:
    (clone / "w.sh").write_text(f"touch {tmp_path}/ran\n")
    (clone / "transpile.toml").write_text('flags = ["-wrapper", "sh,./w.sh"]\n')
    to_port = ("port", clone, "--to", "openmp", "--out", tmp_path / "out", "--trust-config")
    for command in (to_port, to_port[:-1], ("contract", clone), ("units", clone)):
        done = transpile(cache, tmp_path, *command)
        assert done.returncode == 2
        assert "flags: '-wrapper' may not be given" in done.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("words", [[], ["--trust-config"], ["--allow-read={}/shared"], ["-I{}/shared"]])
def test_a_folder_outside_is_opened_by_the_user_alone(
    words: list[str], clone: Path, cache: Path, tmp_path: Path
) -> None:
    (tmp_path / "shared").mkdir()
    (clone / "transpile.toml").write_text('flags = ["-I../shared"]\n')
    done = transpile(cache, tmp_path, "units", clone, *(word.format(tmp_path) for word in words))
    assert (done.returncode == 0) == bool(words), done.stderr
    assert ("outside the repository" in done.stderr) == (not words)


def test_what_the_code_means_is_obeyed_and_nothing_is_said(clone: Path, cache: Path, tmp_path: Path) -> None:
    (clone / "transpile.toml").write_text('flags = ["-DN=3"]\n[units.scale]\nranges = { n = [1, 77] }\n')
    done = transpile(cache, tmp_path, "contract", clone)
    assert 'n = ["1", "77"]' in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 100_000, "x = " + "{a=" * 100_000, "x" + ".x" * 100_000 + " = 1"]
)
def test_settings_without_end_are_an_error_of_one_line(
    text: str, clone: Path, cache: Path, tmp_path: Path
) -> None:
    (clone / "transpile.toml").write_text(text)
    done = transpile(cache, tmp_path, "units", clone)
    assert done.returncode == 2
    assert "transpile.toml: " in done.stderr
