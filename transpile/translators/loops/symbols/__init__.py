"""The symbols that a function's text may name: macros, types, functions, members and containers."""
