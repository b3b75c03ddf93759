"""Run whole programs on both sides: what they print, write and pass to their units."""
