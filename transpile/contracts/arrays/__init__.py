"""Learn how long arrays are, what they may hold, and what scalars may be."""
