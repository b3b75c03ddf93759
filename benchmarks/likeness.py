"""Likeness of translations and references, in BLEU and CodeBLEU. Nothing is kept or counted by it."""

from __future__ import annotations

import json
import subprocess
import venv
from collections.abc import Sequence
from pathlib import Path

from transpile.code.lexer import tokenize

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


def report(pairs: Pairs, place: Path) -> None:
    """Print how alike texts and their references look; ``place`` takes what CodeBLEU needs."""
    print(f"BLEU of {len(pairs)} kept {corpus_bleu(pairs):.2f}, CodeBLEU {corpus_codebleu(pairs, place):.2f}")


def corpus_bleu(pairs: Pairs) -> float:
    """Return the BLEU of texts beside their references, over the tokens of C++ without comments."""
    try:
        import sacrebleu
    except ImportError:
        raise SystemExit("--bleu needs sacrebleu: pip install 'transpile[benchmarks]'") from None
    texts, references = [[words(text) for text in side] for side in zip(*pairs, strict=True)]
    return float(sacrebleu.corpus_bleu(texts, [references], tokenize="none", force=True).score)


def corpus_codebleu(pairs: Pairs, place: Path) -> float:
    """Return the CodeBLEU (Ren et al., 2020) of the same, as of C++; weights are a quarter each."""
    python = place / "codebleu" / "bin" / "python"
    if not python.exists():
        venv.create(python.parent.parent, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *CODEBLEU], check=True)
    texts, references = [[words(text) for text in side] for side in zip(*pairs, strict=True)]
    given = json.dumps((references, texts))
    # It says on standard error, for each text without a flow of data, that it leaves that part out.
    done = subprocess.run([python, "-c", _SCRIPT], input=given, text=True, check=True, capture_output=True)
    return 100 * float(done.stdout)


def words(text: str) -> str:
    """Return the tokens of a text with one blank between them."""
    return " ".join(token.text.decode("utf-8", "replace") for token in tokenize(text.encode()).text)
