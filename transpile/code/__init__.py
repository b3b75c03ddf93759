"""Text of C, C++ and CUDA: syntax trees, tokens, edits, variables and expressions."""
