"""The command line: one file a command, ``render`` prints, ``edge`` turns errors into exit statuses."""

import gc

# Modules and syntax trees are many objects that stay: to look after every 700 takes a tenth of a command.
gc.set_threshold(10_000)
