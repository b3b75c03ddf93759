"""UNIT -> CONTRACT: what a call of a kernel must respect, learnt from how it behaves when it is traced."""
