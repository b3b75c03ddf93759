"""Fortran to C++: whole programs, judged by what they print, and libraries, whose routines trials judge."""
