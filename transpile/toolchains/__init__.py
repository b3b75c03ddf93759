"""Compilers found and run, the sandbox around them and around what they build, the native worker."""
