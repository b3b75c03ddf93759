"""CUDA becomes HIP: names by tables, and what means something else on a device whose warps have 64 lanes."""
