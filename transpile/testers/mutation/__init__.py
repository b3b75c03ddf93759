"""How strong trials are: faults planted in the source, and whether the trials notice them."""
