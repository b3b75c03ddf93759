"""Choose which loops run in parallel, under which checks, and what is refused."""
