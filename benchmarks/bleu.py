"""How alike translations and references look, in BLEU. Nothing is kept or counted by it."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.parsers.lexer import tokenize


def corpus_bleu(pairs: Sequence[tuple[str, str]]) -> float:
    """Return the BLEU of texts beside their references, over the tokens of C++ without comments."""
    try:
        import sacrebleu
    except ImportError:
        raise SystemExit("--bleu needs sacrebleu: pip install 'transpile[benchmarks]'") from None
    texts, references = [[words(text) for text in side] for side in zip(*pairs, strict=True)]
    return float(sacrebleu.corpus_bleu(texts, [references], tokenize="none", force=True).score)


def words(text: str) -> str:
    """Return the tokens of a text with one blank between them."""
    return " ".join(token.text.decode("utf-8", "replace") for token in tokenize(text.encode()).text)
