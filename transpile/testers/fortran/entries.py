"""The C++ by which a worker calls routines, of the source and of the translation alike.

A call has a buffer for each dummy argument, one for the result where there is one, then the values that
gfortran's callers pass beside them: lengths of texts, extents and strides of arrays of assumed shape. Where
arguments are optional, a flag of each argument says whether it is passed.
"""

from __future__ import annotations

from collections.abc import Iterable

from transpile.parsers.fortran.interfaces import Interface
from transpile.parsers.fortran.values import Callback, Dummy, Stored, Value, size
from transpile.testers.fortran.allocated import CAPACITY

_TYPE_CODES = {"integer": 1, "logical": 2, "real": 3, "complex": 4, "derived": 5, "character": 6}
"""Of arrays, in gfortran's descriptors."""
_STOPS = (
    "exit",
    "_gfortran_exit_i4",
    "_gfortran_stop_numeric",
    "_gfortran_stop_string",
    "_gfortran_error_stop_numeric",
    "_gfortran_error_stop_string",
    "_gfortran_runtime_error_at",
    "_gfortran_runtime_error",
)
WRAPPED = tuple(f"-Wl,--wrap={name}" for name in _STOPS)
"""Flags of the linker for a library with these entries."""


def entries(interfaces: Iterable[Interface]) -> str:
    """Return the C++ with an entry for each routine that can be called, by its position."""
    called = [(number, item) for number, item in enumerate(interfaces) if not item.obstacle]
    places = {_place(one): one.symbol for _, item in called for one in item.state}
    # A side that lacks one has no address of it, which calls tell.
    declared = [
        f'extern "C" [[gnu::weak]] char {name}[] __asm__("{symbol}");' for name, symbol in places.items()
    ]
    texts = [_entry(number, item) for number, item in called]
    return "\n".join(['#include "fortran_callback.h"', "", *declared, *texts])


def sized(dummy: Dummy) -> bool:
    """Tell whether a call passes the length of a text."""
    return dummy.value.base == "character"


def described(dummy: Dummy) -> bool:
    """Tell whether a call passes extents and strides of an array."""
    return dummy.shape == "assumed"


def _entry(number: int, interface: Interface) -> str:
    """Return the entry of a routine."""
    dummies = interface.dummies
    result = interface.result
    beside = len(dummies) + (1 if result is not None else 0)
    lengths = [item for item in dummies if sized(item)]
    shaped = [item for item in dummies if described(item)]
    of = interface.returned
    told = beside + len(lengths) + len(shaped)
    flags = told + (1 if of is not None and not of.allocated else 0)
    beneath = flags + (1 if any(item.optional for item in dummies) else 0)
    total = beneath + (1 + len(interface.state) if interface.state else 0)
    before, types, arguments, after = _returned(interface, told)
    for index, dummy in enumerate(dummies):
        if described(dummy):
            shape = beside + len(lengths) + shaped.index(dummy)
            before.append(
                f"fortran_call::Descriptor<{dummy.rank}> "
                f"shape{index}(slots[{index}], slots[{shape}], {_kind(dummy.value)});"
            )
            passed = f"&shape{index}"
        elif dummy.shape == "deferred":
            before.append(
                f"fortran_call::Allocated<{dummy.rank}> held{index}(slots[{index}], {_kind(dummy.value)});"
            )
            passed = f"held{index}.descriptor()"
            after.append(f"held{index}.tell(slots[{index}], {CAPACITY});")
        elif dummy.callback is not None:
            behaviour = f"*fortran_call::pointer<std::int64_t>(slots[{index}])"
            before.append(f"fortran_call::behaviours[{index} % 64] = {behaviour};")
            passed = f"reinterpret_cast<void *>(&{_callback_name(number, index)})"
        else:
            passed = f"fortran_call::pointer<void>(slots[{index}])"
        if dummy.optional:
            passed = f"fortran_call::given(slots[{flags}], {index}, {passed})"
        arguments.append(passed)
    arguments += [f"std::size_t(fortran_call::number(slots[{beside + at}]))" for at in range(len(lengths))]
    types += ["void *"] * len(dummies) + ["std::size_t"] * len(lengths)
    call = f"{interface.symbol}({', '.join(arguments)})"
    kind = "void" if result is None or of is not None else _c_type(result)
    if result is not None and of is None:
        call = f"*fortran_call::pointer<{kind}>(slots[{len(dummies)}]) = {call}"
    body = " ".join([*before, f"{call};", *after])
    recorded = f"fortran_call::record(slots[{total + 1}], [&] {{ {body} }});"
    if interface.state:
        recorded = f"""fortran_call::Stored state[] = {{{", ".join(map(_stored, interface.state))}}};
    if (!fortran_call::set(state, slots + {beneath}, slots[{total + 1}])) return 0;
    {recorded}
    fortran_call::get(state, slots + {beneath});"""
    callbacks = "".join(
        _callback(_callback_name(number, index), index, item.callback)
        for index, item in enumerate(dummies)
        if item.callback is not None
    )
    return f"""{callbacks}extern "C" {kind} {interface.symbol}({", ".join(types)});
TRANSPILE_ENTRY int transpile_entry_{number}(void **slots) {{
    {recorded}
    return 0;
}}
"""


def _returned(interface: Interface, told: int) -> tuple[list[str], list[str], list[str], list[str]]:
    """Return how a call passes room for its result.

    What comes before it, types, arguments, and what comes after it.
    """
    of = interface.returned
    if of is None or interface.result is None:
        return [], [], [], []
    slot = f"slots[{len(interface.dummies)}]"
    if of.length:
        length = f"std::size_t(fortran_call::number(slots[{told}]))"
        return [], ["void *", "std::size_t"], [f"fortran_call::pointer<void>({slot})", length], []
    if of.allocated:
        before = f"fortran_call::Allocated<{of.rank}> made({slot}, {_kind(interface.result)});"
        return [before], ["void *"], ["made.descriptor()"], [f"made.tell({slot}, {CAPACITY});"]
    before = f"fortran_call::Descriptor<{of.rank}> made({slot}, slots[{told}], {_kind(interface.result)});"
    return [before], ["void *"], ["&made"], []


def _kind(value: Value) -> str:
    """Return the size and the type of an element, as descriptors have them."""
    return f"{size(value)}, {_TYPE_CODES[value.base]}"


def _callback_name(number: int, index: int) -> str:
    return f"transpile_callback_{number}_{index}"


def _callback(name: str, index: int, called: Callback) -> str:
    """Return the procedure that trials pass as an argument: it sets what it may set, and answers."""
    types = [_element(item) for item in called.arguments]
    parameters = ", ".join(f"{kind} *a{at}" for at, kind in enumerate(types))
    lines = [f"fortran_call::Answer answer({index});"]
    lines += [f"answer.hear(*a{at});" for at, given in enumerate(called.given) if given]
    lines += [f"answer.give(*a{at});" for at, changed in enumerate(called.changed) if changed]
    if called.result is not None:
        answer = "holds()" if called.result.base == "logical" else f"as<{_c_type(called.result)}>()"
        lines.append(f"return answer.{answer};")
    kind = "void" if called.result is None else _c_type(called.result)
    body = "\n    ".join(lines)
    return f'extern "C" {kind} {name}({parameters}) {{\n    {body}\n}}\n'


def _element(value: Value) -> str:
    """Return the type of C++ of what an argument points to."""
    if value.base == "complex":
        return f"std::complex<{'float' if value.kind == 4 else 'double'}>"
    return _c_type(value)


def _stored(item: Stored) -> str:
    """Return a variable that outlives calls: its name, and where it lies and how far."""
    length = item.count * size(item.variable.value)
    return f'{{"{item.variable.name}", {_place(item)}, {item.offset}, {length}}}'


def _place(item: Stored) -> str:
    return f"transpile_at_{item.symbol}"


def _c_type(value: Value) -> str:
    """Return the type of C that a function's result has."""
    if value.base == "complex":
        return f"_Complex {'float' if value.kind == 4 else 'double'}"
    if value.base == "real":
        return "float" if value.kind == 4 else "double"
    return f"std::int{8 * value.kind}_t"
