"""Find the loops of a function that may run in parallel, by their dependences and reductions."""
