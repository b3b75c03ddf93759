"""Variables at file scope that a C file and the one beside it share.

The latter defines what its functions name: trials of the port run them without the C file. Of all others,
tables of functions among them, it has declarations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from tree_sitter import Node

from transpile.code.edits import Edit
from transpile.code.syntax import declared_name, field, find, parse, source
from transpile.core import Source, Unit

_HOLDING = ("declaration_list", "linkage_specification")
_CHOOSING = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif")
_ELSEWHERE = ("extern", "typedef")


def named_by(source_: Source, units: Collection[Unit]) -> frozenset[str]:
    """Return the variables at file scope that units, and what they call, name."""
    known = [signature for unit in units for signature in source_.signatures.get(unit.id, ())]
    outside = {item.name for signature in known for item in signature.parameters if item.outside}
    return frozenset(outside | {item.name for signature in known for item in signature.variables})


def opened(text: bytes, names: Collection[str]) -> Iterator[Edit[bytes]]:
    """Yield the edits by which other files may name variables that were the file's own."""
    for declaration in _definitions(text, names):
        for word in _storage(declaration, "static"):
            blank = text[word.end_byte : word.end_byte + 1].isspace()
            yield Edit(word.start_byte, word.end_byte + blank, b"")


def announced(text: bytes, names: Collection[str]) -> Iterator[Edit[bytes]]:
    """Yield the edits that make declarations of the definitions of variables."""
    yield from _without_values(_definitions(text, names))


def declared(text: bytes, names: Collection[str], gone: Collection[str]) -> Iterator[Edit[bytes]]:
    """Yield the edits that make declarations of the definitions of all others that more files may name.

    What is the file's own stays, but for tables of functions that are gone.
    """
    named = {node.id for node in _definitions(text, names)}
    for node in _definitions(text):
        if node.id in named:
            continue
        if not any(True for _ in _storage(node, "static")):
            yield from _without_values([node])
        elif any(source(item) in gone for item in find(node, "identifier")):
            yield Edit(node.start_byte, node.end_byte, b"")


def _without_values(definitions: Iterable[Node]) -> Iterator[Edit[bytes]]:
    for declaration in definitions:
        static = list(_storage(declaration, "static"))
        if static:
            yield Edit(static[0].start_byte, static[0].end_byte, b"extern")
        else:
            yield Edit(declaration.start_byte, declaration.start_byte, b"extern ")
        for item in declaration.children_by_field_name("declarator"):
            if item.type == "init_declarator":
                yield Edit(field(item, "declarator").end_byte, item.end_byte, b"")


def _definitions(text: bytes, names: Collection[str] | None = None) -> Iterator[Node]:
    """Yield the definitions of these variables, or of all; each file of C++ has what is ``const``."""
    for declaration in _declarations(parse(text.decode("latin-1"))):
        declared = declaration.children_by_field_name("declarator")
        elsewhere = any(True for word in _ELSEWHERE for _ in _storage(declaration, word))
        if elsewhere or not declared or any(_is_function(item) for item in declared):
            continue
        constant = any(source(child) == "const" for child in declaration.children)
        pointers = any(True for item in declared for _ in find(item, "pointer_declarator"))
        wanted = names is None or any(declared_name(item) in names for item in declared)
        if wanted and (pointers or not constant):
            yield declaration


def _is_function(declarator: Node) -> bool:
    """Tell whether a declarator declares a function; ``(*handlers[2])(int)`` does not."""
    found = next(find(declarator, "function_declarator"), None)
    return found is not None and field(found, "declarator").type != "parenthesized_declarator"


def _declarations(node: Node) -> Iterator[Node]:
    for child in node.named_children:
        if child.type in (*_HOLDING, *_CHOOSING):
            yield from _declarations(child)
        elif child.type == "declaration":
            yield child


def _storage(declaration: Node, word: str) -> Iterator[Node]:
    given = (child for child in declaration.children if child.type == "storage_class_specifier")
    return (child for child in given if source(child) == word)
