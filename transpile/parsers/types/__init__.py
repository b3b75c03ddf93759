"""Ask libclang for the types behind names: signatures, layouts, and what calls reach."""
