"""What iterations bring together in scalars and small arrays, and what each needs of its own."""
