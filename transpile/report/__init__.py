"""Evidence and ports as data and as text, for other programs and for people. Nothing here prints."""
