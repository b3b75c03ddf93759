"""Text that ends a translation unit: one uniform way into each source kernel and each candidate.

``int transpile_entry_<i>(void **arguments)`` finds the address of the value of parameter j in
``arguments[j]``, then a ``transpile_launch``, then the place for what is returned.
It returns 0, or not where the launch was refused.
``transpile_globals_<i>`` lists the variables at file scope that the worker sets and saves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from transpile.core import Assembly, Binding, Parameter, Signature
from transpile.toolchains import printing

_HEAD = 'extern "C" TRANSPILE_EXPORT int transpile_entry_{}(void **transpile_arguments) {{'


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A way from a call of the source to a call of a candidate."""

    signature: Signature
    """Of the source."""
    binding: Binding
    namespace: str
    """Where the candidate is, within the namespace of its source. Empty for an assembled port, where the
    candidate has replaced its source."""
    isolated: bool = False
    """A function whose kernels the emulator runs with host and device memory kept apart."""


def source_entries(signatures: Sequence[Signature], shared: frozenset[str] = frozenset()) -> bytes:
    """Return entries that launch kernels of the source on the emulator, in the given order.

    Args:
        signatures: Of the kernels.
        shared: Names that other functions of the file have as well.
    """
    several = overloaded(signatures, shared)
    texts = [_source_entry(i, signature, several) for i, signature in enumerate(signatures)]
    return _joined([printing.notes(signatures), *texts])


def candidate_entries(passages: Sequence[Passage], shared: frozenset[str] = frozenset()) -> bytes:
    """Return entries that call candidates as their bindings say.

    Args:
        passages: To the candidates.
        shared: Names of kernels that other functions of the file have as well.
    """
    signatures = [passage.signature for passage in passages]
    several = overloaded(signatures, shared)
    texts = [_candidate_entry(i, passage, several) for i, passage in enumerate(passages)]
    return _joined([_without_macros(signatures), printing.notes(signatures), *texts])


def _without_macros(signatures: Sequence[Signature]) -> str:
    """Return directives that end the macros named like parameters: kernels may stand before those."""
    names = {name: None for item in signatures for name in item.names if name}
    return "".join(f"#undef {name}\n" for name in names)


def _joined(texts: Sequence[str]) -> bytes:
    return ("\n" + "".join(texts)).encode("utf-8", "surrogateescape")


def overloaded(signatures: Sequence[Signature], shared: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the callables whose name alone is ambiguous: other functions, or other forms, have it too."""
    lists = {(item.callable, tuple(p.spelling for p in item.passed)) for item in signatures}
    counts = Counter(name for name, _ in lists)
    others = {item.callable for item in signatures if item.name in shared}
    return frozenset(others.union(name for name, count in counts.items() if count > 1))


def _source_entry(index: int, signature: Signature, several: frozenset[str]) -> str:
    function = _chosen(signature.callable, signature, several)
    made, arguments = _made(signature)
    launched = f"    return transpile::launch({quoted(signature.callable)}, {function}, {arguments});"
    return _globals(index, signature) + "\n".join((_HEAD.format(index), *made, launched, "}\n"))


def _made(signature: Signature) -> tuple[list[str], str]:
    """Return statements that put structs together, and what then holds the arguments."""
    assembly = signature.assembly
    if assembly is None:
        return [], "transpile_arguments"
    places = [f"transpile_arguments[{number}]" for number in range(len(signature.parameters) + 2)]
    own = signature.passed
    lines = [
        f"{_held(item)} {item.identifier} = *({_held(item)} *){place};"
        for item, place in list(zip(signature.parameters, places, strict=False))[len(own) :]
    ]
    passed = []
    for item, place in zip(own, places, strict=False):
        made = _is_made(item, assembly)
        passed.append(f"&{item.name}" if made else place)
        lines += [f"auto {item.name} = *({spelled(item)} *){place};"] if made else []
    vector = f"void *transpile_passed[] = {{{', '.join((*passed, *places[-2:]))}}};"
    return [f"    {text}" for text in (*lines, *assembly.before, vector)], "transpile_passed"


def _held(parameter: Parameter) -> str:
    """Return the type of what an entry finds in a place behind the source's own parameters."""
    return "void *" if parameter.pointer else spelled(parameter)


def _is_made(parameter: Parameter, assembly: Assembly) -> bool:
    """Tell whether an entry puts a parameter together."""
    return any(text.startswith(f"{parameter.name}.") for text in assembly.before)


def _chosen(function: str, signature: Signature, several: frozenset[str]) -> str:
    """Return a kernel by its name, and by its parameters where others have that name."""
    if signature.callable not in several:
        return function
    return f"static_cast<void (*)({', '.join(map(spelled, signature.passed))})>({function})"


def _candidate_entry(index: int, passage: Passage, several: frozenset[str]) -> str:
    signature, namespace = passage.signature, passage.namespace
    made, arguments = _made(signature)
    head = "\n".join((_HEAD.format(index), *made))
    if passage.binding.kernel:
        function = bound(passage.binding, namespace)
        if not namespace:
            function = _chosen(function, signature, several)
        launched = f"transpile::launch({quoted(signature.callable)}, {function}, {arguments})"
        return _globals(index, signature) + f"{head}\n    return {launched};\n}}\n"
    own = signature.passed
    count = len(own)
    by_name = bool(namespace) and signature.callable not in several
    # The structs that were put together are hidden by what the binding names.
    lines = [head] if not made else [head, "    {"]
    if by_name:
        lines.append(
            f"    using transpile_types = transpile::parameters_of<decltype(&{signature.callable})>;"
        )
    for position, parameter in enumerate(own):
        kind = f"transpile_types::at<{position}>" if by_name else spelled(parameter)
        lines.append(f"    using transpile_type_{position} = {kind};")
        if parameter.name:
            lines.append(
                f"    [[maybe_unused]] transpile_type_{position} {parameter.name} ="
                f" transpile::argument<transpile_type_{position}>({arguments}, {position});"
            )
    lines += [
        f"    const auto &transpile_how = transpile::argument<const transpile_launch>({arguments}, {count});",
        "    [[maybe_unused]] const transpile_dim3 gridDim ="
        " {transpile_how.grid[0], transpile_how.grid[1], transpile_how.grid[2]};",
        "    [[maybe_unused]] const transpile_dim3 blockDim ="
        " {transpile_how.block[0], transpile_how.block[1], transpile_how.block[2]};",
        "    [[maybe_unused]] const std::size_t dynamicShared = transpile_how.shared;",
        f"    return transpile::keep_result([&] {{ return {_call(passage.binding, namespace)}; }},"
        f" {arguments}[{count + 1}]);",
        "}\n" if not made else "    }\n}\n",
    ]
    return _globals(index, signature) + "\n".join(lines)


def _call(binding: Binding, namespace: str) -> str:
    return f"{bound(binding, namespace)}({', '.join(binding.arguments)})"


def bound(binding: Binding, namespace: str) -> str:
    """Return the expression that names a candidate."""
    scope, separator, name = binding.name.rpartition("::")
    inner = f"{namespace}::{name}" if namespace else name
    template = f"<{binding.template_arguments}>" if binding.template_arguments is not None else ""
    return f"{scope}{separator}{inner}{template}"


def _globals(index: int, signature: Signature) -> str:
    rows = "".join(
        f"    {{{quoted(variable.name)}, (void *)&{variable.name}, sizeof({variable.name})}},\n"
        for variable in signature.globals
    )
    return (
        f'extern "C" {{ TRANSPILE_EXPORT extern const transpile_global transpile_globals_{index}[] = {{\n'
        f"{rows}    {{nullptr, nullptr, 0}},\n}}; }}\n"
    )


def spelled(parameter: Parameter) -> str:
    """Return a type as C++ spells it outside the template that declares the parameter."""
    element = parameter.element
    if element is None:
        return parameter.spelling
    base = "bool" if element.spelling == "_Bool" else element.spelling
    if not parameter.pointer:
        return base
    return f"{'const ' if parameter.const else ''}{base} *"


def quoted(text: str) -> str:
    """Return a string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
