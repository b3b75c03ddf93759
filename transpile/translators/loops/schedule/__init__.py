"""Reorder nests of loops where isl finds a legal order that costs less."""
