"""Write HIP: names by tables, and warps of 32 lanes on devices whose warps have 64."""
