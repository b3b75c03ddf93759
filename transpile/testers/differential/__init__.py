"""Run a candidate and its source on the same trials, under several configurations."""
