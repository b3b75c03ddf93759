"""What a function stands in: macros, types and functions of its source, and what of its text is looked at."""
