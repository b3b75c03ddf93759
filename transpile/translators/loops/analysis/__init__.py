"""Which loops of a function may run in parallel, by dependences and by what iterations bring together."""
