"""Lower CUDA to C++ that a compiler of the host takes."""
