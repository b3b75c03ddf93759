"""Read how a source is built: commands, flags and build files."""
