"""C and C++ to OpenMP: tasks for calls of a function by itself."""

from transpile.translators.tasks.propose import is_recursive, propose

__all__ = ["is_recursive", "propose"]
