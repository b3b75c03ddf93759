"""The text of a test: one call of the source, one of its translation on the same inputs, and a comparison."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from transpile.core import Launch
from transpile.testers.reproduction.data import (
    Item,
    arguments,
    constants,
    globals_of,
    items,
    member,
    returned,
    tolerances,
)
from transpile.testers.reproduction.literals import TYPES
from transpile.testers.reproduction.scene import Scene
from transpile.testers.run.bench import binding_for
from transpile.toolchains.entry import bound, quoted, spelled
from transpile.toolchains.function_entry import source_calls
from transpile.toolchains.printing import notes

NAMESPACE = "transpile_candidate"
_LARGE = 2000
"""Characters of constants beyond which they stand in a file of their own."""
_REPEATED = 100
"""Calls where threads may meet: one may end well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """A test, and its inputs where they are too large to read past."""

    test: str
    inputs: str


def texts(scene: Scene, title: str, included: str, inputs_name: str, *, separate: bool) -> Texts:
    """Return the text of a test.

    Args:
        scene: What it shows.
        title: Comment at its beginning, without slashes.
        included: Path of the translation unit with the candidate.
        inputs_name: Where large inputs go.
        separate: The source is compiled on its own, behind entries.
    """
    found = items(scene)
    values = "".join(text for item in found for text in constants(item))
    bounds = "".join(text for item in found for _, text in tolerances(item, scene))
    large = len(values) + len(bounds) > _LARGE
    inputs = f"// Inputs of the test that includes this.\n\n{values}{bounds}"
    hidden = "".join(f"#undef {item.name}\n" for item in found)
    parts = [
        "".join(f"// {line}".rstrip() + "\n" for line in title.splitlines()),
        f'#include "reproduction.h"\n#include "{included}"\n',
        f"// macros of the source that are named like parameters\n{hidden}{notes([scene.signature])}",
        "namespace counterexample {\n\nusing reproduction::Array;\n\n"
        + (f'#include "{inputs_name}"\n' if large else values + bounds)
        + "\n// What the call takes; each side has its own.\n"
        + "struct Arguments {\n"
        + "".join(member(item, scene.configuration.poison) for item in found)
        + "};\n",
        *([_separate_source(scene) if separate else _source(scene)] if scene.source_runs else []),
        _candidate(scene),
        "}  // namespace counterexample\n",
        _main(scene) if scene.source_runs else _repeated(),
    ]
    return Texts(test="\n".join(parts), inputs=inputs if large else "")


def launched(launch: Launch) -> str:
    """Return a launch as a person reads it."""
    shared = f", {launch.shared}" if launch.shared else ""
    return f"<<<{_dim3(launch.grid)}, {_dim3(launch.block)}{shared}>>>"


def _dim3(numbers: tuple[int, int, int]) -> str:
    return f"dim3({', '.join(map(str, numbers))})"


def _passed(item: Item) -> str:
    if item.slot.null:
        return "nullptr" if "[" in item.type else f"static_cast<{item.type} *>(nullptr)"
    name = f"call.{item.alias or item.name}" + (f".at({item.away})" if item.away else "")
    return name if item.plain_value or item.slot.pointer else f"{name}.value()"


def _source(scene: Scene) -> str:
    signature = scene.signature
    given = [_passed(item) for item in arguments(scene)]
    if scene.compilation.plain:
        [call] = source_calls([signature])
        lines = [_kept(scene, f"{call.function}({', '.join(given)})")]
    else:
        lines = _launch(scene, signature.callable, given)
    return _function("call_source", "The source, as it is called.", scene, lines)


def _launch(scene: Scene, kernel: str, given: list[str]) -> list[str]:
    launch = scene.reference.trial.launch
    configuration = f"simt::Configuration({_dim3(launch.grid)}, {_dim3(launch.block)}, {launch.shared})"
    return [
        f"// {kernel}{launched(launch)}(...) on the emulator of CUDA in simt/",
        "simt::dynamic_shared_limit = simt::shared_limit;",
        f"const int error = int(simt::launch({quoted(kernel)}, {configuration},",
        f"                                   {', '.join([kernel, *given])}));",
        'if (error != 0) std::printf("the launch was refused: error %d\\n", error);',
    ]


def _kept(scene: Scene, call: str) -> str:
    return f"call.returned.value() = {call};" if returned(scene) else f"{call};"


def _candidate(scene: Scene) -> str:
    candidate = scene.proposal.candidate
    binding = binding_for(candidate, scene.signature)
    function = bound(binding, NAMESPACE)
    known = {item.name: item for item in arguments(scene)}
    if binding.kernel:
        lines = _launch(scene, function, [_passed(item) for item in known.values()])
        return _function("call_candidate", "The translation.", scene, lines)
    launch = scene.reference.trial.launch
    words = {word for text in binding.arguments if text not in known for word in re.findall(r"\w+", text)}
    lines = [
        f"{spelled(parameter)} {item.name} = {_passed(item)};"
        for parameter, item in zip(scene.signature.parameters[: len(known)], known.values(), strict=True)
        if item.name in words
    ]
    lines += [
        f"const dim3 {name}({', '.join(map(str, numbers))});"
        for name, numbers in (("gridDim", launch.grid), ("blockDim", launch.block))
        if name in words
    ]
    lines += [f"const std::size_t dynamicShared = {launch.shared};"] if "dynamicShared" in words else []
    given = [_passed(known[text]) if text in known else text for text in binding.arguments]
    lines.append(_kept(scene, f"{function}({', '.join(given)})"))
    return _function("call_candidate", "The translation.", scene, lines)


def _function(name: str, comment: str, scene: Scene, lines: list[str]) -> str:
    """Return a function that sets the globals, makes a call and looks at the globals again."""
    held = [(f"call.{item.name}.bytes()", f"&{item.slot.name}", item) for item in globals_of(scene)]
    before = [f"std::memcpy((void *){place}, {data}, sizeof({place[1:]}));" for data, place, _ in held]
    after = [f"std::memcpy({data}, (void *){place}, sizeof({place[1:]}));" for data, place, _ in held]
    return _defined(name, comment, [*before, *lines, *after])


def _defined(name: str, comment: str, lines: list[str]) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"// {comment}\nvoid {name}([[maybe_unused]] Arguments &call) {{\n{body}}}\n"


def _separate_source(scene: Scene) -> str:
    """Return a call of a source that is C, and so stands in an object file of its own behind an entry."""
    given = arguments(scene)
    lines = [f"void *{item.name} = {_passed(item)};" for item in given if item.slot.pointer]
    lines += [f"auto {item.name} = call.{item.name};" for item in given if item.plain_value]
    addresses = [
        f"&{item.name}" if item.slot.pointer or item.plain_value else f"call.{item.name}.bytes()"
        for item in given
    ]
    place = "call.returned.bytes()" if returned(scene) else "nullptr"
    held = [
        (f"transpile_globals_0[{number}].address", f"call.{item.name}.bytes()", len(item.slot.data))
        for number, item in enumerate(globals_of(scene))
    ]
    lines += [f"std::memcpy({address}, {data}, {size});" for address, data, size in held]
    lines += [
        f"void *passed[] = {{{', '.join([*addresses, 'nullptr', place])}}};",
        "transpile_entry_0(passed);",
    ]
    lines += [f"std::memcpy({data}, {address}, {size});" for address, data, size in held]
    declared = (
        "// At the end of the source's file: calls what the test is of with the values at these addresses.\n"
        'extern "C" int transpile_entry_0(void **);\n'
        "struct Global { const char *name; void *address; std::uint64_t size; };\n"
        'extern "C" const Global transpile_globals_0[];\n\n'
    )
    return declared + _defined("call_source", "The source, as it is called.", lines)


def _main(scene: Scene) -> str:
    rows = list(_comparisons(scene))
    once = [
        "counterexample::Arguments candidate;",
        "counterexample::call_candidate(candidate);",
        *rows,
    ]
    if scene.difference is not None and scene.configuration.threads > 1:
        once = [
            "// Threads meet or they do not: once more, until it shows.",
            f"for (int run = 0; run < {_REPEATED} && !report.failed(); run++) {{",
            *(f"    {line}" for line in once),
            "}",
        ]
    return _program(
        "counterexample::Arguments source;",
        'reproduction::begin("the source");',
        "counterexample::call_source(source);",
        'reproduction::begin("the translation");',
        "reproduction::Report report;",
        *once,
        "return report.end();",
    )


def _comparisons(scene: Scene) -> Iterator[str]:
    """Yield a line for each number that an element has."""
    for item in items(scene):
        if not item.slot.pointer or item.alias or item.slot.null:
            continue
        bounded = {name for name, _ in tolerances(item, scene)}
        for leaf, name in item.columns:
            more = ""
            if leaf.name or name in bounded:
                more = f', "{"." if leaf.name else ""}{leaf.name}", {leaf.offset}'
            if name in bounded:
                more += f", {{counterexample::{name}_reference, counterexample::{name}_allowed}}"
            label = quoted(item.slot.name)
            pair = f"source.{item.name}, candidate.{item.name}"
            yield f"report.compare<{TYPES[leaf.scalar]}>({label}, {pair}{more});"


def _repeated() -> str:
    return _program(
        "// The race checker reports what it sees; nothing is compared.",
        f"for (int run = 0; run < {_REPEATED}; run++) {{",
        "    counterexample::Arguments candidate;",
        "    counterexample::call_candidate(candidate);",
        "}",
        'std::printf("ok: no race was seen\\n");',
        "return 0;",
    )


def _program(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"int main() {{\n{body}}}\n"
