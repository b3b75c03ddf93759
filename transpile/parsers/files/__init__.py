"""Read the files of a source: which are code, what they include, and what conditions remove."""
