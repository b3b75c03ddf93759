"""Kernels and functions of our own, made by a seed: sources of training pairs."""
