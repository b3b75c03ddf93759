"""Show that a candidate is wrong, by compiling it beside its source and calling both.

Nothing of the product's judging is used: plain compilers, and for CUDA's text the emulator's headers. A call
counts only where the right translation, from which the candidate was made, agrees with the source.
"""

from __future__ import annotations

import os
import pickle
import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from benchmarks.plants.call import Call
from benchmarks.plants.runner import Job
from benchmarks.plants.subject import SUBJECTS, Function, Subject
from transpile.parsers.lowering.emulation import lowered
from transpile.simt import include_directory

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("runner.py")
MEMORY = 6 << 30
SECONDS = 240
_HEADERS = "".join(
    f"#include <{name}.h>\n" for name in ("float", "limits", "math", "omp", "stdio", "stdlib", "string")
)
_CHECKED = (
    "-fsanitize=signed-integer-overflow,shift,float-cast-overflow,integer-divide-by-zero",
    "-fsanitize-undefined-trap-on-error",
)
_SHARED = ("-O2", "-w", "-shared", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-fopenmp")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A call on which a candidate is wrong."""

    call: Call
    how: str


class Unbuilt(Exception):
    """A text does not compile: it is no candidate."""


@dataclass(frozen=True, slots=True)
class Oracle:
    """Shows candidates wrong; builds are kept in a directory."""

    place: Path

    def shown(
        self, subject: Subject, text: str, headers: Sequence[str], calls: Sequence[Call]
    ) -> Shown | None:
        """Return the first valid call on which the text is wrong; None where all agree.

        Raises:
            Unbuilt: The text does not compile.
        """
        calls = [call for call in calls if subject.function.launchable(dict(call.sizes))]
        job = Job(
            function=subject.function,
            source=self._source(subject.function),
            right=self._candidate(subject, subject.text, ()),
            planted=self._candidate(subject, text, headers),
            calls=tuple(calls),
        )
        for call, outcome in zip(calls, self._outcomes(job), strict=False):
            if outcome not in ("agrees", "void"):
                return Shown(call=call, how=outcome)
        return None

    def _outcomes(self, job: Job) -> list[str]:
        """Run a job, once."""
        raw = pickle.dumps(job)
        known = self.place / f"{sha256(raw + RUNNER.read_bytes()).hexdigest()[:24]}.outcomes"
        if not known.exists():
            file = known.with_suffix(".job")
            file.write_bytes(raw)
            try:
                known.write_text(
                    "\n".join(_run([sys.executable, "-m", "benchmarks.plants.runner", str(file)]))
                )
            finally:
                file.unlink()
        return known.read_text().splitlines()

    def _source(self, function: Function) -> Path:
        text = (SUBJECTS / function.file).read_text()
        if function.launch:
            return self._emulated(text + _entries(function, 'extern "C" '))
        return self._built(text + _entries(function, ""), "c", ("gcc", "-std=gnu11", *_CHECKED))

    def _candidate(self, subject: Subject, text: str, headers: Sequence[str]) -> Path:
        function = subject.function
        own = "".join(f"#include {name}\n" for name in headers)
        kernel = replace(function, launch=function.launch if subject.dialect == "hip" else "")
        whole = _HEADERS + own + text + "\n" + _entries(kernel, 'extern "C" ')
        if subject.dialect == "openmp" and not function.launch:
            whole = _HEADERS + own + text + "\n" + _entries(kernel, "")
            return self._built(whole, "c", ("gcc", "-std=gnu11"))
        if subject.dialect == "openmp":
            return self._built(whole, "cpp", ("g++", "-std=gnu++20"))
        if subject.dialect == "cuda":
            return self._emulated(whole)
        return self._emulated("#include <hip/hip_runtime.h>\n" + whole, "-DSIMT_HIP")

    def _emulated(self, text: str, *flags: str) -> Path:
        plain = lowered({"text.cu": text.encode()})["text.cu"].decode()
        include = str(include_directory())
        command = ("g++", "-std=gnu++20", "-I", include, *flags, "-include", "simt/simt.h")
        return self._built(plain, "cpp", command)

    def _built(self, text: str, suffix: str, command: tuple[str, ...]) -> Path:
        name = sha256("\0".join((text, *command)).encode()).hexdigest()[:24]
        self.place.mkdir(parents=True, exist_ok=True)
        file, made = self.place / f"{name}.{suffix}", self.place / f"{name}.so"
        if not made.exists():
            file.write_text(text)
            part = made.with_suffix(f".{os.getpid()}")
            words = [*command, *_SHARED, str(file), "-o", str(part), "-lm"]
            finished = subprocess.run(words, capture_output=True, timeout=SECONDS, check=False)
            if finished.returncode:
                raise Unbuilt(finished.stderr.decode("utf-8", "replace")[:600])
            part.rename(made)
        return made


def _run(command: Sequence[str]) -> list[str]:
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "OMP_WAIT_POLICY": "passive"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=_limited,
    )
    try:
        said, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        said, _ = process.communicate()
    return said.decode().split()


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _entries(function: Function, linkage: str) -> str:
    """Return functions that call it: from anywhere, and from a thread of a region."""
    listed = ", ".join(
        f"{'const ' if item.constant else ''}{item.type} {'*' if item.extent else ''}{item.name}"
        for item in function.parameters
    )
    names = ", ".join(item.name for item in function.parameters)
    back = "" if function.returns == "void" else "found = "
    launch = f"<<<{function.launch}>>>" if function.launch else ""
    before = "" if function.returns == "void" else f"{function.returns} found;"
    after = "" if function.returns == "void" else "return found;"
    region = "\n#pragma omp parallel num_threads(2)\n#pragma omp master\n"
    return "".join(
        f"{linkage}{function.returns} {name}({listed})\n"
        f"{{ {before}{around}{back}{function.name}{launch}({names});\n{after} }}\n"
        for name, around in (("oracle_entry", " "), ("oracle_within", region))
    )


def headers_of(text: str) -> tuple[str, ...]:
    """Return the headers that a text needs."""
    known = {
        r"\bomp_\w+": "<omp.h>",
        r"\b(?:calloc|malloc|realloc|free|abort|exit|setenv|unsetenv|srand|atexit|system)\b": "<stdlib.h>",
        r"\bmem(?:cpy|set)\b": "<string.h>",
        r"\b(?:printf|puts|popen|fclose|fopen|stdout|putchar|fflush|fputs|perror)\b": "<stdio.h>",
        r"\bfesetround\b": "<fenv.h>",
        r"\b_MM_\w+|\b_mm_\w+": "<immintrin.h>",
        r"\bstd::atomic": "<atomic>",
        r"\bstd::(?:min|max)\b": "<algorithm>",
        r"\b(?:signal|sig\w+)\s*\(": "<signal.h>",
        r"\b(?:alarm|chdir|nice|dup|dup2|close|usleep|fork)\(": "<unistd.h>",
        r"\bopen\(": "<fcntl.h>",
        r"\bumask\(": "<sys/stat.h>",
        r"\bsetrlimit\(": "<sys/resource.h>",
        r"\bsetlocale\(": "<locale.h>",
    }
    return tuple(dict.fromkeys(header for pattern, header in known.items() if re.search(pattern, text)))
