"""The command line: one file a command, ``render`` prints, ``edge`` turns errors into exit statuses."""
