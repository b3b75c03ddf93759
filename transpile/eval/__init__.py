"""Suites of items with tests of their own, and translators measured on them."""
