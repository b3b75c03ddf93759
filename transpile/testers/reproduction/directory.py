"""A directory that shows one trial or a few, and the commands that build and run them."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from transpile.assemble.vendor import DIRECTORY, vendored
from transpile.parsers.files.includes import closure
from transpile.parsers.lowering.emulation import lower
from transpile.testers.reproduction.scene import Scene
from transpile.testers.reproduction.text import NAMESPACE, launched, texts
from transpile.toolchains import compilers, native
from transpile.toolchains.beside import include_directories
from transpile.toolchains.function_entry import function_entries, source_calls
from transpile.toolchains.recipes import CHECKED, Flavour, libraries, recipe, unit_flags

_SOURCE = "source"
_SECONDS = 20
"""Of a call that does not end."""
_OURS = frozenset(("-fPIC", "-fvisibility=hidden", "-fdiagnostics-color=never", "-g1"))
"""Flags of our libraries that a program has no use for."""
_PATHS = ("-I", "-isystem", "-iquote", "-include", "-idirafter")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """Files by path, and what to type where they lie."""

    files: Mapping[str, bytes]
    commands: tuple[str, ...]


def reproduction(scenes: Sequence[Scene]) -> Reproduction:
    """Return what shows the scenes, which are trials of one candidate."""
    files: dict[str, bytes] = {}
    commands: dict[str, None] = {}
    for number, scene in enumerate(scenes, start=1):
        name = "test" if len(scenes) == 1 else f"test{number}"
        files |= _tree(scene)
        typed = list(_commands(scene, name))
        commands |= dict.fromkeys(typed)
        included = f"{_SOURCE}/{scene.compilation.unit.path}"
        title = _title(scene, typed)
        made = texts(scene, title, included, f"{name}_inputs.h", separate=_separate(scene))
        files[f"{name}.cpp"] = made.test.encode("utf-8", "surrogateescape")
        if made.inputs:
            files[f"{name}_inputs.h"] = made.inputs.encode()
    here = Path(__file__).parent / "reproduction.h"
    script = "#!/bin/sh\n# Builds and runs what is beside it.\nset -e\n" + "".join(f"{c}\n" for c in commands)
    files |= {"reproduction.h": here.read_bytes(), "run.sh": script.encode("utf-8", "surrogateescape")}
    return Reproduction(files=files, commands=tuple(commands))


def write(made: Reproduction, place: Path) -> None:
    """Write the files; what lay there from an earlier time goes."""
    if is_reproduction(place):
        shutil.rmtree(place)
    for path, data in made.files.items():
        file = place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def is_reproduction(place: Path) -> bool:
    """Tell whether a directory is one that we wrote."""
    return (place / "reproduction.h").is_file() and (place / "run.sh").is_file()


def _separate(scene: Scene) -> bool:
    """Tell whether the source cannot stand in the translation unit of its candidate: it is C."""
    return scene.compilation.unit.path != scene.proposal.unit.translation_unit


def _tree(scene: Scene) -> dict[str, bytes]:
    """Return the texts that the compiler reads."""
    made = scene.compilation
    directories = include_directories(made.unit.flags)
    wanted = {*closure(made.files, made.unit.path, directories)}
    found: dict[str, bytes] = {}
    if _separate(scene):
        path = scene.proposal.unit.translation_unit
        entries = function_entries(source_calls([scene.signature]))
        found[f"{_SOURCE}/{path}"] = lower(scene.source, rename_main=True)[path] + entries
        found["abi.h"] = (native.SOURCES / "abi.h").read_bytes()
    found = {f"{_SOURCE}/{path}": made.files[path] for path in sorted(wanted)} | found
    if _checked(scene):
        found |= {f"{native.CHECKED}/{path.name}": path.read_bytes() for path in native.checked_headers()}
    return found | (vendored(found, forced=["simt/simt.h"]) if made.emulated else {})


def _checked(scene: Scene) -> bool:
    """Tell whether a test's algorithms are those that checkers know."""
    return bool(scene.proposal.candidate.dialect.traits.libraries) and scene.flavour in CHECKED


def _commands(scene: Scene, name: str) -> Iterator[str]:
    """Yield what builds and runs a test."""
    made, how = scene.compilation, recipe(scene.flavour)
    tool = compilers.find().require(how.compiler)
    compiler = Path(tool.path or how.compiler).name
    general = [flag for flag in how.compile if flag not in _OURS]
    # What is wrapped there is the worker's own.
    linking = [flag for flag in how.link if not flag.startswith("-Wl,--wrap=")]
    flags = ["-g", *dict.fromkeys([*general, *linking])]
    emulator = ["-I", DIRECTORY, "-include", "simt/simt.h"] if made.emulated else []
    own = _moved(unit_flags(made.unit, how.compiler, emulated=made.emulated))
    own += ["-I", native.CHECKED] if _checked(scene) else []
    linked = () if _checked(scene) else libraries(scene.proposal.candidate.dialect.model)
    objects = []
    if _separate(scene) and scene.source_runs:
        path = scene.proposal.unit.translation_unit
        unit = next(item for item in scene.source.translation_units if item.path == path)
        c = ["-include", "abi.h", *_moved(unit.flags), "-x", "c", "-c", f"{_SOURCE}/{path}"]
        yield shlex.join([compiler, *flags, *c, "-o", "source.o"])
        kept = [f"--keep-global-symbol=transpile_{word}_0" for word in ("entry", "globals")]
        yield shlex.join(["objcopy", *kept, "source.o"])
        objects = ["source.o"]
    yield shlex.join([compiler, *flags, *emulator, *own, f"{name}.cpp", *objects, "-o", name, *linked])
    yield _run(scene, name)


def _run(scene: Scene, name: str) -> str:
    words = [f"OMP_NUM_THREADS={max(scene.configuration.threads, 1)}"]
    match scene.flavour:
        case Flavour.THREAD:
            archer = compilers.find().require("libarcher").path
            words += [
                f"OMP_TOOL_LIBRARIES={shlex.quote(str(archer))}",
                f"TSAN_OPTIONS='ignore_noninstrumented_modules=1 exitcode=1{_symbolizer()}'",
                "setarch -R",  # newer kernels put programs where the race checker has its own memory
            ]
        case Flavour.ADDRESS:
            words += [
                "ASAN_OPTIONS='detect_leaks=0 allow_user_segv_handler=0'",
                "UBSAN_OPTIONS=print_stacktrace=1",
            ]
        case _:
            pass
    if scene.check == "timeout":
        words.append(f"timeout {_SECONDS}")
    return " ".join([*words, f"./{name}"])


def _symbolizer() -> str:
    """Return the option by which the race checker prints lines where clang came without its symbolizer."""
    tool = compilers.find().get("clang++").path
    own = Path(tool).resolve().parent / "llvm-symbolizer" if tool else None
    found = str(own) if own is not None and own.exists() else shutil.which("addr2line")
    return f" external_symbolizer_path={found}" if found else ""


def _moved(flags: Sequence[str]) -> list[str]:
    """Return a unit's flags as they read from above its tree."""
    found: list[str] = []
    words = iter(flags)
    for word in words:
        joined = next((flag for flag in ("-I", "-isystem", "-iquote") if word.startswith(flag)), "")
        if word in _PATHS:
            found += [word, _below(next(words, ""))]
        elif joined:
            found.append(joined + _below(word[len(joined) :]))
        else:
            found.append(word)
    return found


def _below(path: str) -> str:
    return path if path.startswith("/") else f"{_SOURCE}/{path}"


def _title(scene: Scene, commands: Sequence[str]) -> str:
    """Return what the test is about, for whoever was sent it."""
    unit, trial = scene.proposal.unit, scene.reference.trial
    scalars = ", ".join(f"{name} = {value:g}" for name, value in trial.scalars)
    call = scene.signature.callable + ("" if scene.compilation.plain else launched(trial.launch))
    threads = scene.configuration.threads
    lines = [
        "A translation beside its source, on one input. Exit status 0: they agree; 1: they do not.",
        "",
        f"  unit       {unit.id} (line {unit.line} of the source)",
        f"  call       {call}" + (f" with {scalars}" if scalars else ""),
        f"  failure    {_failure(scene)}",
        f"  input      seed {trial.seed}, fill {trial.fill}, {threads} OpenMP thread{'s' * (threads != 1)}",
        f"  source     {_SOURCE}/{scene.proposal.unit.path}"
        + (", on the emulator of CUDA in simt/" if not scene.compilation.plain else ""),
        f"  candidate  namespace {NAMESPACE} in {_place(scene)}",
        "",
        "Build and run, in this directory:",
        "",
        *(f"  {command}" for command in commands),
    ]
    return "\n".join(lines)


def _failure(scene: Scene) -> str:
    found = scene.difference
    if found is None:
        return "none: both sides agree"
    if found.check in ("timeout", "crash", "bounds", "address", "race"):
        got = re.sub(r"^WARNING: | \(pid=\d+\)|^==\d+==\s*(?:ERROR: )?", "", found.got)
        return f"{found.check}: {got}" + (f" at {found.where}" if found.where != "call" else "")
    return f"{found.check}: {found.where} should be {found.expected}, is {found.got}"


def _place(scene: Scene) -> str:
    """Return where the candidate stands in the tree."""
    mark = f"namespace {NAMESPACE} {{".encode()
    path = scene.proposal.unit.path
    text = scene.compilation.files.get(path, b"")
    if _separate(scene):
        path, text = scene.compilation.unit.path, scene.compilation.files[scene.compilation.unit.path]
    at = text.find(mark)
    return f"{_SOURCE}/{path}:{text.count(chr(10).encode(), 0, at) + 1}" if at >= 0 else f"{_SOURCE}/{path}"
