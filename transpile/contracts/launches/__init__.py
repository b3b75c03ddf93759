"""Learn under which launches a kernel behaves, and how many threads suffice."""
