"""Translate CUDA kernels to C++ by rules: deterministic passes over syntax trees, one a file."""
