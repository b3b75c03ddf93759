"""EVIDENCE -> TRAINING PAIRS: what was shown to agree, and near misses with what refutes them."""
