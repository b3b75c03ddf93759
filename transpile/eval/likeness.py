"""Likeness of translations and references, in BLEU and CodeBLEU. Nothing is kept or counted by it."""

from __future__ import annotations

import json
import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path

from transpile.code.lexer import tokenize
from transpile.errors import UsageError

CODEBLEU = ("codebleu==0.7.0", "tree-sitter-cpp==0.22.3")
"""The field's own package; it wants a tree-sitter older than ours, so it has an environment of its own."""
_SCRIPT = """
import json, sys
from codebleu import calc_codebleu
references, texts = json.load(sys.stdin)
print(calc_codebleu(references, texts, lang="cpp")["codebleu"])
"""

Pairs = Sequence[tuple[str, str]]
"""Texts, each with its reference."""


def corpus_bleu(pairs: Pairs) -> float:
    """Return the BLEU of texts beside their references, over the tokens of C++ without comments.

    Raises:
        UsageError: The package is not there.
    """
    try:
        import sacrebleu
    except ImportError as error:
        raise UsageError(
            "BLEU needs the package 'sacrebleu'", hint="Install it: pip install 'transpile[eval]'"
        ) from error
    texts, references = [[words(text) for text in side] for side in zip(*pairs, strict=True)]
    return float(sacrebleu.corpus_bleu(texts, [references], tokenize="none", force=True).score)


def corpus_codebleu(pairs: Pairs, place: Path) -> float:
    """Return the CodeBLEU (Ren et al., 2020) of the same, as of C++; weights are a quarter each.

    Args:
        pairs: Texts and references.
        place: Takes the environment of its package.

    Raises:
        UsageError: The package cannot be installed, or fails.
    """
    python = place / "codebleu" / "bin" / "python"
    texts, references = [[words(text) for text in side] for side in zip(*pairs, strict=True)]
    try:
        if not python.exists():
            venv.create(python.parent.parent, with_pip=True)
            install = [str(python), "-m", "pip", "install", "-q", *CODEBLEU]
            subprocess.run(install, check=True, capture_output=True)
        # It says on standard error, for each text without a flow of data, that it leaves that part out.
        given = json.dumps((references, texts))
        line = [str(python), "-c", _SCRIPT]
        done = subprocess.run(line, input=given, text=True, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        told = said if isinstance(said, str) else said.decode("utf-8", "replace")
        lines = told.strip().splitlines() or [""]
        raise UsageError(f"CodeBLEU cannot be computed: {lines[-1]}") from error
    return 100 * float(done.stdout)


def words(text: str) -> str:
    """Return the tokens of a text with one blank between them."""
    return " ".join(token.text.decode("utf-8", "replace") for token in tokenize(text.encode()).text)
