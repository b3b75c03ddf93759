"""Nests of loops in another order: what isl finds legal, written as loops again."""
