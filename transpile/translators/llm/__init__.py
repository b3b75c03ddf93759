"""A language model as translator: what it is asked, and what is made of its answers."""

from transpile.translators.llm.answer import candidates_of, fingerprint
from transpile.translators.llm.dialogue import Dialogue, Question

__all__ = ["Dialogue", "Question", "candidates_of", "fingerprint"]
