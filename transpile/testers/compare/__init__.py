"""Compare what two calls left behind, within a tolerance."""
