"""Fortran to C++: plain, sequential, and with the names, the comments and the order of the source."""
