"""Lengths that loops need of arrays: from their text, or by an inspector that reads the data first."""
