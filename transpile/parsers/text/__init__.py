"""Cut code into units by its tokens and syntax trees, whether it compiles or not."""
