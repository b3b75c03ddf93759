"""Right translations with their sources, faults to plant into them, and an oracle that shows them wrong."""
