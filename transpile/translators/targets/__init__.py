"""Write parallel code for a target, one folder each."""
