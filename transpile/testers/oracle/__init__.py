"""What the source does on the trials: which are valid, what they cover, how far it rounds."""
