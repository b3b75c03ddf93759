"""Rewrite host code of CUDA programs for ports that have no device."""
