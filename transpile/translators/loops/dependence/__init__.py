"""Memory accesses of loops, and loop-carried dependences between them."""
