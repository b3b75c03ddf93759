from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest

from transpile import cache, config
from transpile.core import Interface, Level
from transpile.errors import ConfigurationError
from transpile.options import CacheOptions, ModelOptions


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_no_file_gives_defaults(tmp_path: Path) -> None:
    found = config.find(tmp_path)
    assert found == config.Config()


def test_everything_a_file_may_say(tmp_path: Path) -> None:
    path = write(
        tmp_path / "transpile.toml",
        """
        target = "openmp"
        single_source = true
        interface = "device"
        out = "../port"
        require = "hardened"
        exclude = ["third_party/**"]
        flags = ["-Iinclude", "-DN=4"]
        runs = ["./main 16 'a b'", "./main"]
        carve = ["./main 64"]
        jobs = 3
        seed = 7
        fallback = "none"
        [units."src/a.cu::k(int)"]
        target_name = "k_omp"
        """,
    )
    found = config.load(path)
    assert (found.target, found.single_source) == ("openmp", True)
    assert found.interface is Interface.DEVICE
    assert found.out == Path("../port")
    assert found.require is Level.HARDENED
    assert found.exclude == ("third_party/**",)
    assert found.flags == ("-Iinclude", "-DN=4")
    assert found.commands == (("./main", "16", "a b"), ("./main",))
    assert found.carvings == (("./main", "64"),)
    assert (found.jobs, found.seed, found.fallback) == (3, 7, "none")
    assert found.units["src/a.cu::k(int)"].target_name == "k_omp"
    assert found.directory == tmp_path


def test_the_closest_wins_and_nothing_is_merged(tmp_path: Path) -> None:
    write(tmp_path / "transpile.toml", "seed = 1\njobs = 5\n")
    write(tmp_path / "inner" / "pyproject.toml", "[tool.transpile]\nseed = 2\n")
    (tmp_path / "inner" / "deep").mkdir()
    found = config.find(tmp_path / "inner" / "deep")
    assert (found.seed, found.jobs) == (2, None)


def test_a_project_file_without_our_table_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "transpile.toml", "seed = 1\n")
    write(tmp_path / "inner" / "pyproject.toml", "[project]\nname = 'x'\n")
    assert config.find(tmp_path / "inner").seed == 1


def test_a_file_as_source_starts_at_its_directory(tmp_path: Path) -> None:
    write(tmp_path / "transpile.toml", "seed = 4\n")
    assert config.find(write(tmp_path / "a.cu", "")).seed == 4


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("tarjet = 'openmp'", "unknown key 'tarjet'", "'target'"),
        ("[units.k]\ntarget_nane = 'x'", "unknown key 'target_nane' in [units.\"k\"]", "'target_name'"),
        ("[units.k]\nextents = { a = 'n +' }", "units.k", ""),
        ("path = 'x'", "unknown key 'path'", "Known"),
        ("jobs = '3'", "jobs: Input should be a valid integer", ""),
        ("fallback = 'gpu'", "fallback: Input should be 'simt' or 'none'", ""),
        ("interface = 'gpu'", "interface: Input should be 'host' or 'device'", ""),
        ("require = 'proved'", "require: Input should be 'built', 'tested' or 'hardened'", ""),
        ('runs = ["it\'s"]', "runs, carve: No closing quotation", ""),
        ('carve = ["it\'s"]', "runs, carve: No closing quotation", ""),
        ("jobs = ", "Invalid value", ""),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, message: str, hint: str) -> None:
    path = write(tmp_path / "transpile.toml", text + "\n")
    with pytest.raises(ConfigurationError, match=r"transpile\.toml") as caught:
        config.load(path)
    assert message in str(caught.value)
    assert hint in caught.value.hint


def test_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "transpile.toml"
    path.write_bytes(b"seed = '\xff'")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        config.load(path)


def test_named_file_without_table(tmp_path: Path) -> None:
    path = write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n")
    with pytest.raises(ConfigurationError, match=r"no \[tool\.transpile\] table"):
        config.load(path)


def test_the_users_own_file_is_where_xdg_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert config.own_file() == tmp_path / "home" / ".config" / "transpile" / "config.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    assert config.own_file() == tmp_path / "other" / "transpile" / "config.toml"
    # A relative one would be found in whatever repository this is run in.
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert config.own_file() == tmp_path / "home" / ".config" / "transpile" / "config.toml"


def test_the_users_own_file_says_what_holds_for_all_ports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config.own() == config.Config()
    place = tmp_path / "transpile" / "config.toml"
    write(place, 'jobs = 2\n[models]\nuse = ["small"]\n')
    assert (config.own().jobs, config.own().models.use) == (2, ("small",))
    dotfiles = write(tmp_path / "dotfiles" / "config.toml", "jobs = 3\n")
    place.unlink()
    place.symlink_to(dotfiles)
    assert config.own().jobs == 3
    write(place, "[units.k]\ntarget_name = 'x'\n")
    with pytest.raises(ConfigurationError, match="unknown key 'units'"):
        config.own()


OWN = config.Config(jobs=2, models=ModelOptions(use=("small",)))
FOUND = config.Config(
    target="hip", seed=3, jobs=64, out=Path("/home/me/.ssh"), models=ModelOptions(max_cost=1e9)
)


def test_a_repository_has_no_say_in_where_data_goes_and_what_is_spent() -> None:
    counts, ignored = config.obeyed(FOUND, OWN, trusted=False)
    assert ignored == ("models", "out", "jobs")
    assert counts == config.Config(target="hip", seed=3, jobs=2, models=ModelOptions(use=("small",)))


def test_what_the_user_trusts_beats_his_own_file() -> None:
    assert config.obeyed(FOUND, OWN, trusted=True) == (FOUND, ())
    both = replace(FOUND, cache=CacheOptions(limit="1 MB"))
    counts, ignored = config.obeyed(both, OWN, trusted=True)
    assert (counts, ignored) == (FOUND, ("cache",)), "the cache is that of all ports"
    counts, _ = config.obeyed(config.Config(target="hip"), OWN, trusted=True)
    assert counts == config.Config(target="hip", jobs=2, models=ModelOptions(use=("small",)))


def test_every_setting_is_the_repositorys_or_the_users() -> None:
    """A new one has to be thought about: whose word counts?"""
    of_code = {
        "target", "single_source", "interface", "require", "exclude", "flags", "runs", "carve",
        "seed", "clocks", "fallback", "units",
    }  # fmt: skip
    names = {item.name for item in fields(config.Config) if not item.metadata.get("internal")}
    assert names == of_code | set(config.USERS)


@pytest.mark.parametrize(("text", "said"), [("", None), ("limit = '2 GB'", 2 * 10**9), ("limit = 0", 0)])
def test_the_user_says_how_much_the_cache_holds(
    text: str, said: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("TRANSPILE_CACHE_LIMIT", raising=False)
    write(tmp_path / "transpile" / "config.toml", f"[cache]\n{text}\n")
    assert config.own().cache.size == said
    assert cache.limit() == (cache.DEFAULT_LIMIT if said is None else said)
    monkeypatch.setenv("TRANSPILE_CACHE_LIMIT", "7 MB")
    assert cache.limit() == 7 * 10**6


@pytest.mark.parametrize("text", ["limit = 'much'", "limti = 3", "limit = true"])
def test_a_limit_that_is_none_is_refused(text: str, tmp_path: Path) -> None:
    path = write(tmp_path / "transpile.toml", f"[cache]\n{text}\n")
    with pytest.raises(ConfigurationError, match=r"size|unknown key 'limti'|limit"):
        config.load(path)


def test_a_link_out_of_the_repository_is_not_read_as_configuration(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", "password = 'of the user'\n")
    root = tmp_path / "app"
    root.mkdir()
    (root / "transpile.toml").symlink_to(secret)
    with pytest.raises(ConfigurationError, match="is a link that leads out of app") as raised:
        config.find(root)
    assert "password" not in str(raised.value)
    (root / "transpile.toml").unlink()
    (root / "transpile.toml").symlink_to(write(root / "settings" / "ours.toml", "seed = 5\n"))
    assert config.find(root).seed == 5
    (root / "transpile.toml").unlink()
    write(secret, "[tool.transpile]\nseed = 6\n")
    (root / "pyproject.toml").symlink_to(secret)
    assert config.find(root) == config.Config()
