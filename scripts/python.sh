#!/bin/sh
# Print a Python of at least 3.11, or fail with a word about it.
for python in ${PYTHON:-} python3 python3.13 python3.12 python3.11; do
    if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        command -v "$python"
        exit 0
    fi
done
echo "No Python 3.11 or later was found (PYTHON=... names one)." >&2
exit 1
