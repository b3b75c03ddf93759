"""UNIT and CONTRACT become a CANDIDATE."""

from transpile.translators.extraction import LoopChooser
from transpile.translators.screen import foreseen, is_idle, is_left
from transpile.translators.translate import TRANSLATORS, Translator, leads, propose, variants

__all__ = [
    "TRANSLATORS",
    "LoopChooser",
    "Translator",
    "foreseen",
    "is_idle",
    "is_left",
    "leads",
    "propose",
    "variants",
]
