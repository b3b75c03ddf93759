"""A corpus over rounds: candidates against tests, data to train from, and figures of each round."""
