"""Fortran routines and their translations: called alike, and compared bit by bit."""
