"""Read Fortran, fixed and free form, into a small typed tree with symbols."""
