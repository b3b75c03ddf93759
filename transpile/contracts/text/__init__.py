"""Read what a source says of its launches, sizes and callers, before anything runs."""
