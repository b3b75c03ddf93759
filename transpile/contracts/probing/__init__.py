"""Call the source with every memory access traced, and read the traces."""
