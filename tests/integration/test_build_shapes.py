"""Build files of many shapes: the port builds by its own command, in parallel, and its program is right.

Each case is one text of several files (``-- path --`` begins one); ``@name`` is a text of ``common/``.
"""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.sampling import sampled
from transpile import parsers, translators
from transpile.assemble import assemble
from transpile.core import (
    HIP,
    OPENMP,
    ArrayFact,
    Attempt,
    BuildOutcome,
    Candidate,
    Contract,
    Covers,
    Dialect,
    Evidence,
    Guarantee,
    Level,
    OwnBuild,
    Passed,
    Role,
    Source,
    UnitKind,
)
from transpile.delivery import built_as_delivered
from transpile.options import PortOptions
from transpile.settle import Settled, build_failure
from transpile.toolchains.workshop import Workshop

CASES = Path(__file__).parents[1] / "cases" / "builds"
SHAPES = sorted(path.stem for path in CASES.glob("*.txt"))
PASSED = Passed(guarantee=Guarantee(level=Level.TESTED, trials=1, checks=()))
SUM = b"6994\n"

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]


def unpack(shape: str, root: Path) -> None:
    """Write the files of a case."""
    parts = re.split(r"^-- (.*) --\n", (CASES / f"{shape}.txt").read_text(), flags=re.MULTILINE)
    for path, text in zip(parts[1::2], parts[2::2], strict=True):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shared = re.fullmatch(r"@(\S+)\n", text)
        (root / path).write_text((CASES / "common" / shared[1]).read_text() if shared else text)


def translated(source: Source, target: Dialect = OPENMP) -> Iterator[Evidence]:
    """Yield the unit that adds arrays as if its translation had been judged."""
    kind = UnitKind.FUNCTION if source.dialect.is_plain else UnitKind.KERNEL
    for unit in source.units:
        if unit.kind is kind and unit.name.startswith("axpy"):
            [signature] = source.signatures[unit.id]
            facts = (
                ArrayFact(name="x", role=Role.IN, extent="n"),
                ArrayFact(name="y", role=Role.INOUT, extent="n"),
            )
            law = Covers(x="n") if kind is UnitKind.KERNEL else None
            contract = Contract(signature=signature, arrays=facts, scalars=(), law=law)
            proposed = translators.propose(source, unit, (contract,), target)
            assert isinstance(proposed, Candidate), proposed
            attempt = Attempt(candidate=proposed, verdict=PASSED)
            yield Evidence(unit=unit, contracts=(contract,), attempts=(attempt,))


def built(shape: str, root: Path, workshop: Workshop, target: Dialect) -> tuple[OwnBuild, Mapping[str, Path]]:
    """Build the port of a case by its own command."""
    unpack(shape, root)
    source = parsers.read(root)
    evidence = tuple(translated(source, target))
    assert evidence
    kept = {item.unit.id: item.candidate for item in evidence if item.candidate is not None}
    assembly = assemble(source, kept, target=target)
    assert build_failure(workshop, assembly, target) is None
    settled = Settled(assembly=assembly, evidence=evidence, programs=())
    options = PortOptions(cache=root / "cache", target=target)
    return built_as_delivered(workshop, source, settled, options)


@pytest.mark.skipif(shutil.which("hipcc") is None, reason="hipcc is not installed")
@pytest.mark.parametrize(
    ("shape", "succeeds"),
    sampled(
        [
            ("make_cuda_archive", True),
            ("make_cuda_build_folder", True),
            ("make_cuda_linked_by_gxx", True),
            ("make_cuda_suffix_rule", True),
            # What hipcc compiled for a link of its own is linked by g++: not shown where nvcc fails, too.
            ("make_cuda_device_link", False),
        ],
        3,
    ),
)
def test_a_port_to_hip_tells_what_its_build_shows(
    shape: str, succeeds: bool, tmp_path: Path, workshop: Workshop
) -> None:
    own, products = built(shape, tmp_path, workshop, HIP)
    assert (own.outcome is BuildOutcome.BUILDS, products) == (succeeds, {}), own


@pytest.mark.parametrize("shape", sampled(SHAPES, 3))
def test_a_port_builds_by_its_own_command(shape: str, tmp_path: Path, workshop: Workshop) -> None:
    if shape.startswith("cmake") and shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    own, products = built(shape, tmp_path, workshop, OPENMP)
    assert own.outcome is BuildOutcome.BUILDS, own
    assert (own.serial, own.absent) == ((), ())
    names = ("app", "app.exe", "one")
    [program] = [path for name, path in products.items() if posixpath.basename(name) in names]
    beside = {"LD_LIBRARY_PATH": str(program.parent)}
    done = subprocess.run([program], capture_output=True, check=False, cwd=tmp_path, env=beside)
    assert (done.returncode, done.stdout) == (0, SUM), done
