"""Inline PTX as CUDA's own C++: what a statement does, by intrinsics and expressions of the same widths."""
