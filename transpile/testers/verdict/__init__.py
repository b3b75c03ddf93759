"""The order of all checks, and the verdict that comes out."""
