"""Run the emulator's own test programs on this machine's device: nvcc, a device and Python are all it needs.

    python3 scripts/simt_on_device.py [--jobs N] [CASE ...]

What `tests/cases/simt` expects of CUDA was written from its documentation; here a device is asked.
Runs that ask the emulator for something of its own, a schedule or a report of an error, are left out.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "simt"
LIBRARIES = {
    "(?:cublas|blas.cuh)": "-lcublas",
    "cufft": "-lcufft",
    "cusparse": "-lcusparse",
    "curand.h": "-lcurand",
}


def main() -> int:
    """Print a line for each program, and return 1 where a device does not do what a program expects."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", help="names of programs; without any, all")
    parser.add_argument("--jobs", type=int, default=4)
    arguments = parser.parse_args()
    cases = [
        path for path in sorted(CASES.glob("*.cu")) if not arguments.cases or path.stem in arguments.cases
    ]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda case: result(case, Path(scratch)), cases))
    for case, told in zip(cases, results, strict=True):
        print(f"{case.stem:16} {told}")
    return any(told.startswith("differs") for told in results)


def result(case: Path, scratch: Path) -> str:
    """Return how a program ends on the device: ``agrees``, ``differs`` or ``left out``, and why."""
    text = case.read_text()
    asked = device_runs(text)
    if not asked:
        return "left out: it asks for what the emulator alone has"
    program = scratch / case.stem
    linked = [flag for name, flag in LIBRARIES.items() if re.search(rf'include [<"]{name}', text)]
    flags = ("-arch=native", "-std=c++17", "-rdc=true", "-w", "-DON_DEVICE")
    command = ["nvcc", *flags, str(case), "-o", str(program), *linked]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if built.returncode:
        return f"left out: nvcc does not build it: {built.stderr.strip()[:400]}"
    for words in asked:
        done = subprocess.run(
            [str(program), *words], capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode:
            return (
                f"differs: status {done.returncode} of {words}: {(done.stderr + done.stdout).strip()[:600]}"
            )
    return f"agrees in {len(asked)} runs"


def runs(text: str) -> list[tuple[dict[str, str], list[str], str]]:
    """Return environment, arguments and expected end of each ``// run:`` line of a program."""
    found = []
    for line in text.splitlines():
        if line.startswith("// run:"):
            words, _, end = line.removeprefix("// run:").partition("=>")
            settings = [word for word in words.split() if re.match(r"\w+=", word)]
            arguments = [word for word in words.split() if word not in settings]
            found.append((dict(word.split("=", 1) for word in settings), arguments, end.strip()))
    return found


def device_runs(text: str) -> list[list[str]]:
    """Return the arguments of the runs that end well and set nothing of the emulator's."""
    if any(line.startswith("// flags:") for line in text.splitlines()):
        return []
    return [arguments for settings, arguments, end in runs(text) if end == "exit 0" and not settings]


if __name__ == "__main__":
    raise SystemExit(main())
