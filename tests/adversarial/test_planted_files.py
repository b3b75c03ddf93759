"""Calls that put links and pipes where we may read or write, or spoil the files that they inherit.

What they aim at is a file of the user's, outside of the sandbox: it stays as it is, nothing of it comes back,
and we end.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.adversarial import needs
from tests.integration.toolbox import call, library, number, signature
from transpile.toolchains.build import Built, Flavour
from transpile.toolchains.worker import Completed, Crashed, Placement, RestartPolicy, run
from transpile.toolchains.workshop import Workshop

pytestmark = needs.JUDGING

SECRET = b"\x01\x02\x03\x04 a key\n" * 40
PLANTED = r"""
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
enum { links = 1, pipes = 2, dies = 4, closes = 8, truncates = 16, overwrites = 32, seals = 64 };
static void plant(const char *name, const char *victim, int how) {
    if (how & (links | pipes)) unlink(name);
    if (how & links) symlink(victim, name);
    if (how & pipes) mkfifo(name, 0600);
}
__global__ void attack(int *x, const char *victim, int how)
{
    for (const char *name : {"batch", "results", "progress", "complaints"})
        plant(name, victim, how);
    if (how & links) plant("library.gcda", victim, how);  // As a pipe it stops the call itself.
    if (DIR *here = opendir("."))
        while (dirent *entry = readdir(here))
            if (entry->d_name[0] != '.') plant(entry->d_name, victim, how);
    for (int file = 3; file < 64; file++) {
        if (how & truncates) ftruncate(file, 0);
        if (how & overwrites) lseek(file, 0, SEEK_SET);
        for (int i = 0; how & overwrites && i < 999; i++) write(file, "\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
        if (how & seals) fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE | F_SEAL_SEAL);
        if (how & closes) close(file);
    }
    x[0] += 1;
    if (how & dies) abort();
}
"""
LINKS, PIPES, DIES, CLOSES, TRUNCATES, OVERWRITES, SEALS = 1, 2, 4, 8, 16, 32, 64


@pytest.fixture(scope="module", params=[Flavour.PLAIN, Flavour.TRACE, Flavour.ADDRESS])
def attacker(request: pytest.FixtureRequest, workshop: Workshop) -> Built:
    signatures = [signature("attack", "int *x", "const char *victim", "int how")]
    return library(workshop, PLANTED, signatures, request.param)


@pytest.mark.parametrize(
    "how",
    [
        LINKS, LINKS + DIES, PIPES, PIPES + DIES, CLOSES, CLOSES + DIES, TRUNCATES, TRUNCATES + DIES,
        OVERWRITES, OVERWRITES + DIES, SEALS, LINKS + TRUNCATES + SEALS + CLOSES + DIES,
    ],
)  # fmt: skip
def test_a_call_neither_reads_nor_spoils_a_file_through_us(
    workshop: Workshop, attacker: Built, tmp_path: Path, how: int
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(SECRET)
    name = np.frombuffer(str(victim).encode() + b"\0", dtype=np.uint8)
    placement = Placement.ARENA if attacker.flavour is Flavour.TRACE else Placement.HEAP
    calls = [call(np.zeros(4, np.int32), name, number(how)), call(np.zeros(4, np.int32), name, number(0))]
    results = run(workshop, attacker, calls, placement=placement, restarts=RestartPolicy(deaths=4))
    assert victim.read_bytes() == SECRET
    assert SECRET[:8] not in b"".join(shown(result) for result in results)
    if how in (LINKS, PIPES, SEALS):
        assert [int(changed(result)[0]) for result in results] == [1, 1]


def shown(result: Completed | Crashed) -> bytes:
    """Return all that a verdict or a prompt may show of a call."""
    arrays = result.arguments[0].tobytes() if isinstance(result, Completed) else b""
    return repr(result).encode("latin-1", "replace") + arrays


def changed(result: Completed | Crashed) -> np.ndarray:
    assert isinstance(result, Completed), result
    return result.arguments[0].view(np.int32)
