"""Translation by rules: deterministic passes over syntax trees, one a file."""
