"""Run the kept ports of a C-to-CUDA item file under the independent oracle.

    python benchmarks/oracle_items.py ITEMS.jsonl [--only TEXT ...] [--limit N] [--jobs N] [--cache DIR]
                                      [--calls N] [--bundle DIR]

Translates, judges and tests as ``loops.py`` does, and prints what it prints. Every kept port then runs beside
its source under the oracle (``oracle.py``), on

- the file's own calls, arrays as long as they declare them;
- ``same``: the same sizes with other data;
- ``scaled``: all whole numbers times the same factor, arrays exactly as long as the source reaches;
- ``drawn``: every whole number for itself, arrays likewise. Sizes may not fit each other as callers' do.

How far a call reaches is measured: the source is built so that each access is noted. Calls that the source
does not bear under the sanitizers are left out. What is wrong is printed with what the port says that it
assumes.

``--bundle`` writes kept ports, their sources and the valid calls into a folder; ``python3 run.py`` there runs
them on a machine with nvcc and a device, which needs nothing else.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import loops
import numpy as np
import oracle
from functions import EXTREMES, PREAMBLE

from transpile.core import CUDA
from transpile.toolchains.workshop import Workshop

HEADERS = tuple(f"<{name}>" for name in ("cmath", "cstdint", "cstdlib", "cstring", "stdexcept", "vector"))
HEADERS += ("<algorithm>", "<cstdbool>", "<climits>")
KINDS = ("given", "same", "scaled", "drawn")
MOST = 20000
"""Elements of an array before it is known how many a call reaches."""
LARGE = (256, 64, 16, 8)
CARRIED = 1 << 18
"""Bytes of the arrays of a large call."""


@dataclass(kw_only=True)
class Found:
    """Findings of the oracle on one port."""

    item: str
    valid: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    worse: Counter[str] = field(default_factory=Counter)
    """Of these, where more is wrong than that a copy reads beyond an array of the caller's."""
    launched: int = 0
    first: dict[str, str] = field(default_factory=dict)
    note: str = ""
    assumed: str = ""


def main() -> None:
    """Print a line an item and one a kept port, then the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("items", type=Path)
    parser.add_argument("--limit", type=int, default=None)
    parser.add_argument("--only", nargs="*", default=("",), help="parts of the items' names")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--calls", type=int, default=12, help="random calls of each kind")
    parser.add_argument("--cache", type=Path, default=Path("build/benchmarks"))
    parser.add_argument("--bundle", type=Path, default=None, help="new folder of what a device runs")
    arguments = parser.parse_args()
    if arguments.bundle is not None:
        shutil.copytree(oracle.NATIVE, arguments.bundle)
    items = [json.loads(line) for line in arguments.items.read_text().splitlines()][: arguments.limit]
    chosen = [item for item in items if any(part in item["id"] for part in arguments.only)]
    workshop = Workshop(cache=arguments.cache)
    scores: list[loops.Score] = []
    every: list[Found] = []
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        place = Path(scratch)

        def work(item: dict[str, Any]) -> tuple[loops.Score, Found | None]:
            score = loops.score(workshop, place, item, CUDA, show=False)
            kept = score.outcome == "kept"
            return score, examined(place, item, score, arguments.calls, arguments.bundle) if kept else None

        for score, found in pool.map(work, chosen):
            scores.append(score)
            print(loops.line(score), flush=True)
            if found is not None:
                every.append(found)
                print(told(found), flush=True)
    print()
    loops.report(scores, CUDA)
    for kind in KINDS:
        tried = [one for one in every if one.valid[kind]]
        wrong = [one.item for one in tried if one.wrong[kind]]
        worse = [one.item for one in tried if one.worse[kind]]
        print(f"{kind}: {len(tried)} ports tried, {len(wrong)} wrong: {' '.join(wrong)}")
        print(f"{' ' * len(kind)}  in more than a copy that reads too much {len(worse)}: {' '.join(worse)}")
    anywhere = sum(any(one.wrong.values()) for one in every)
    idle = sum(not one.launched and bool(one.valid) for one in every)
    left = sum(bool(one.note) for one in every)
    print(f"kept {len(every)}, wrong in any call {anywhere}, never launched {idle}, not run {left}")


def told(found: Found) -> str:
    """Return what is printed of a port."""
    figures = ", ".join(
        f"{kind} {found.wrong[kind]}/{found.valid[kind]}"
        + f" ({found.worse[kind]})" * bool(found.wrong[kind])
        for kind in KINDS
    )
    lines = [f"{found.item} wrong: {figures}; {found.launched} launched {found.note}".rstrip()]
    lines += [f"    {kind}: {text}" for kind, text in found.first.items()]
    if found.first and found.assumed:
        lines.append(f"    {found.assumed}")
    return "\n".join(lines)


def examined(place: Path, item: dict[str, Any], score: loops.Score, calls: int, bundle: Path | None) -> Found:
    """Run a kept port beside its source."""
    root = place / f"{score.item}_oracle"
    root.mkdir()
    found = Found(item=score.item, assumed=" ".join(re.findall(r"assumes .*", score.detail)))
    name = item["c_entry"]
    defined = "".join(
        f"#define {macro}(a, b) ((a) {sign} (b) ? (a) : (b))\n"
        for macro, sign in EXTREMES.items()
        if re.search(rf"\b{macro}\s*\(", item["source"])
    )
    header = re.search(rf"[^;{{}}]*\b{re.escape(name)}\s*\([^;{{}}]*\)(?=\s*\{{)", item["source"])
    if header is None:
        return replace(found, note="has no header that is read")
    lines = [line for line in header[0].splitlines() if not line.lstrip().startswith("#")]
    declared = re.sub(r"\b(?:static|inline)\b", "", "\n".join(lines)).strip()
    source = item["source"].replace(header[0], f"\n{declared}\n")
    pair = oracle.Pair(
        name=name,
        source=f"{PREAMBLE}{defined}{source}",
        declaration=f"{declared};",
        port=score.text,
        entry=name,
        headers=HEADERS,
    )
    try:
        given = captured(item, declared, root)
        reached = Reach(pair, root)
        program = oracle.build([pair], root / "program", shared=place)
    except (RuntimeError, subprocess.CalledProcessError) as error:
        return replace(found, note=f"is not run: {str(error)[-300:]}")
    if program.failed:
        return replace(found, note=f"does not build: {program.failed[0][1][:300]}")
    random = np.random.default_rng(len(score.item) + len(item["source"]))
    asked = [("given", call) for call in given]
    for number in range(calls if given else 0):
        base = replace(given[number % len(given)], seed=number)
        asked.append(("same", other_data(base, random)))
        asked += [("scaled", call) for call in reached.exact([scaled(base, random)])]
        asked += [("drawn", call) for call in reached.exact([scaled(base, random, alike=False)])]
    try:
        results = program.run([call for _, call in asked])
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return replace(found, note=f"is not run: {str(error)[-300:]}")
    for (kind, call), result in zip(asked, results, strict=True):
        found.valid[kind] += result.valid
        found.launched += result.launches > 0
        if result.wrong:
            over = "the caller's array" in result.detail
            found.wrong[kind] += 1
            found.worse[kind] += not over
            if kind not in found.first or (found.worse[kind] == 1 and not over):
                found.first[kind] = f"{result.kind}: {result.detail}; called with {shown(call)}"
    if bundle is not None:
        borne = [call for (_, call), result in zip(asked, results, strict=True) if result.valid]
        oracle.bundle(pair, [*borne, *large(given, reached, random)], bundle / "items" / score.item)
    return found


def large(given: Sequence[oracle.Call], reached: Reach, random: np.random.Generator) -> list[oracle.Call]:
    """Return calls that keep a whole device busy, as far as their arrays stay small enough to be carried."""
    found = []
    for base in given[:2]:
        for factor in LARGE:
            calls = reached.exact([scaled(base, random, factor=factor)])
            if (
                calls
                and sum(value.nbytes for value in calls[0].arguments if not isinstance(value, bytes))
                < CARRIED
            ):
                found += calls
                break
    return found


def shown(call: oracle.Call) -> str:
    """Return a call in short."""
    return ", ".join(
        f"[{len(value)}]" if isinstance(value, np.ndarray) else str(value) for value in call.arguments
    )


def captured(item: dict[str, Any], declared: str, root: Path) -> list[oracle.Call]:
    """Return the calls of the item's tests."""
    name = re.escape(item["c_entry"])
    tests = [test["call"] for test in item["source_tests"] if test.get("robust", True)]
    bodies = [
        f"static void call_{number}() {{\n"
        + re.sub(rf"\bwrapper\s*\(\s*{name}\s*,?", f"captured::Of<decltype({item['c_entry']})>::call(", call)
        + "\n}\n"
        for number, call in enumerate(tests)
    ]
    main = "int main() {\n" + "".join(f"call_{number}();\n" for number in range(len(tests))) + "}\n"
    # The headers of C++ come first: those of C would be read as C++ within the declaration.
    text = f'#include "capture.h"\n#include <iostream>\nextern "C" {declared};\n{"".join(bodies)}{main}'
    program = _program(root, "captured.cpp", text, ("-I", str(oracle.NATIVE)))
    lines = (
        subprocess.run([program], capture_output=True, check=True, timeout=20).stdout.decode().splitlines()
    )
    return [call for line in lines if (call := _call(line.split())) is not None]


def _call(words: list[str]) -> oracle.Call | None:
    returned = {"f4": "f", "f8": "d", "v0": ""}.get(words[0], "b")
    values: list[oracle.Value] = []
    for at in range(1, len(words), 3):
        kind, dtype, data = words[at : at + 3]
        if kind == "unknown" or dtype[0] == "b":
            return None
        held = np.frombuffer(bytes.fromhex(data), dtype="u1" if dtype == "?1" else dtype)
        values.append(held if kind == "array" else held[0])
    return oracle.Call(function=0, arguments=tuple(values), returned=returned)


def _program(root: Path, name: str, text: str, flags: Sequence[str]) -> str:
    (root / name).write_text(text)
    made = str(root / Path(name).stem)
    finished = subprocess.run(
        ["g++", "-std=gnu++20", "-w", *flags, str(root / name), "-o", made], capture_output=True, check=False
    )
    if finished.returncode:
        raise RuntimeError(finished.stderr.decode("utf-8", "replace")[:300])
    return made


class Reach:
    """Measured extents of calls of one function."""

    NOTED = ("-fsanitize=kernel-address", "--param", "asan-instrumentation-with-call-threshold=0")
    NOTED += ("--param", "asan-stack=0", "--param", "asan-globals=0")

    def __init__(self, pair: oracle.Pair, root: Path) -> None:
        self.root = root
        (root / "noted.c").write_text(pair.source)
        made = str(root / "noted.o")
        command = ["gcc", "-std=gnu11", "-O1", "-w", *self.NOTED, "-c", str(root / "noted.c"), "-o", made]
        subprocess.run(command, check=True, capture_output=True)
        table = (
            f'#include "shim.h"\nextern "C" {pair.declaration}\n'
            f"static void entry(void **a, void *r) {{ ::oracle::invoke({pair.name}, a, r); }}\n"
            "extern void (*const functions[])(void **, void *) = {entry};\n"
        )
        flags = ("-I", str(oracle.NATIVE), str(oracle.NATIVE / "reach.cpp"), made)
        self.program = _program(root, "reach.cpp", table, flags)

    def exact(self, calls: Sequence[oracle.Call]) -> list[oracle.Call]:
        """Return calls with arrays cut to what they reach; those that stray or do not end are left out."""
        file = self.root / "reach.calls"
        oracle.write(calls, file)
        finished = subprocess.run([self.program, file], capture_output=True, check=False, timeout=300)
        found = []
        for line in finished.stdout.decode().splitlines():
            number, *tops = line.split()
            if "died" not in tops:
                found.append(_cut(calls[int(number)], [int(top) for top in tops]))
        return found


def _cut(call: oracle.Call, tops: list[int]) -> oracle.Call:
    values, left = [], list(tops)
    for value in call.arguments:
        if isinstance(value, np.ndarray):
            top = left.pop(0)
            # Callers have an array also where nothing of it is needed, as where a size is 0.
            value = value[: -(-top // value.dtype.itemsize)] if top else value
        values.append(value)
    return replace(call, arguments=tuple(values))


def other_data(call: oracle.Call, random: np.random.Generator) -> oracle.Call:
    """Return a call of the same sizes with other numbers."""
    return replace(
        call,
        arguments=tuple(
            _data(value, len(value), random) if isinstance(value, np.ndarray) else value
            for value in call.arguments
        ),
    )


def scaled(
    call: oracle.Call, random: np.random.Generator, *, alike: bool = True, factor: int | None = None
) -> oracle.Call:
    """Return a call with other whole numbers and arrays of plenty."""
    most = MOST if factor is None else CARRIED
    times = int(random.integers(2, 5)) if factor is None else factor
    values: list[oracle.Value] = []
    for value in call.arguments:
        if isinstance(value, np.ndarray):
            # Indices grow with sizes, or stay.
            values.append(_data(value, most, random, times if alike and random.integers(0, 2) else 1))
        elif not isinstance(value, bytes) and value.dtype.kind in "iu" and value.dtype.itemsize > 1:
            many = int(value) * times if alike else int(random.integers(1, 3 * min(abs(int(value)), 30) + 4))
            values.append(value.dtype.type(many if abs(int(value)) < 1000 else int(value)))
        else:
            values.append(value)
    return replace(call, arguments=tuple(values))


def _data(like: np.ndarray, count: int, random: np.random.Generator, factor: int = 1) -> np.ndarray:
    if like.dtype.kind == "f":
        least = 0 if like.size and like.min() >= 0 else -8
        return random.integers(least, 9, size=count).astype(like.dtype)
    low, high = (int(like.min()), int(like.max())) if like.size else (0, 0)
    if high > 0 and high * factor < np.iinfo(like.dtype).max:
        high = (high + 1) * factor - 1
    return random.integers(low, high + 1, size=count).astype(like.dtype)


if __name__ == "__main__":
    main()
