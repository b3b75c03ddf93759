from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from transpile.stages.claims import Claims

KEY, OTHER = "0123456789abcdef0", "fedcba9876543210f"
HOLDER = """
import sys
from pathlib import Path
from transpile.stages.claims import Claims
print(Claims(Path(sys.argv[1])).take(sys.argv[2]), flush=True)
sys.stdin.read()
"""


def test_what_another_process_claims_is_free_once_that_is_killed(tmp_path: Path) -> None:
    claims = Claims(tmp_path / "evidence" / ".claims")
    assert claims.take(OTHER)
    command = [sys.executable, "-c", HOLDER, str(claims.file), KEY]
    pipe, environment = subprocess.PIPE, {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "True\n"
        assert not claims.take(KEY)
        holder.kill()
    assert claims.take(KEY)


def test_within_a_process_a_claim_excludes_others_until_it_is_released(tmp_path: Path) -> None:
    first, second = Claims(tmp_path / "claims"), Claims(tmp_path / "claims")
    assert first.take(KEY)
    assert not second.take(KEY)
    assert second.take(OTHER)
    first.release(KEY)
    first.release(KEY)
    assert second.take(KEY)
