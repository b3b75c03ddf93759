"""What loops touch: elements of arrays, by which names, and whether names may lead to the same memory."""
