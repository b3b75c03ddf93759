"""Instructions that are more than an expression of their operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from transpile.parsers.ptx.conversions import convert
from transpile.parsers.ptx.instructions import Instruction
from transpile.parsers.ptx.registers import NAMES, bits, mark, parenthesized
from transpile.parsers.ptx.statement import Untranslatable
from transpile.parsers.ptx.table import LANE
from transpile.parsers.ptx.translation import Draft

_MEMBERS = "xyzw"
_SHUFFLES: Mapping[str, tuple[str, int, str]] = {
    "idx": ("__shfl", 0x1F, "true"),
    "up": ("__shfl_up", 0, "{lane} >= {by}"),
    "down": ("__shfl_down", 0x1F, "{lane} + {by} < {width}"),
    "bfly": ("__shfl_xor", 0x1F, "({lane} ^ {by}) < {width}"),
}
"""The function, the low bits of the operand that bounds it, and whether a lane has a partner."""
_HINTS = frozenset(
    (
        *("global", "shared", "weak", "ca", "cg", "cs", "lu", "nc", "wb", "wt"),
        *("L1::no_allocate", "L1::evict_first", "L1::evict_last", "L1::evict_normal", "L1::evict_unchanged"),
        *("L2::64B", "L2::128B", "L2::256B"),
    )
)
"""Modifiers of an access for caches and memory spaces."""


def shuffle(draft: Draft, item: Instruction) -> None:
    """``shfl``: a value of another lane, and whether there is such a lane."""
    synchronous = item.opcode[1:2] == ("sync",)
    *_, mode, kind = item.opcode
    known = mode in _SHUFFLES and kind == "b32" and len(item.opcode) == 3 + synchronous
    if not known or len(item.operands) != 4 + synchronous:
        raise Untranslatable(item.text)
    target, source, by, bound, *mask = item.operands
    function, low, partner = _SHUFFLES[mode]
    limit = draft.number(bound)
    width = 32 - (limit >> 8) if limit is not None else 0
    if limit is None or limit & 0xFF != low or width not in (1, 2, 4, 8, 16, 32):
        raise Untranslatable(f"{item.text}, whose width is no number as written")
    lanes = draft.number(by)
    distance = str(lanes & 31) if lanes is not None else f"({draft.value(by, 'u32')} & 31)"
    target, *predicate = (part.strip() for part in target.split("|"))
    for name in predicate:
        lane = LANE if width == 32 else f"{LANE} % {width}"
        draft.assign(name, partner.format(lane=lane, by=distance, width=width), "pred", item.guard)
    first = f"{draft.value(mask[0], 'u32')}, " if synchronous else ""
    arguments = f"{first}{draft.value(source, 'u32')}, {distance}" + (f", {width}" if width < 32 else "")
    draft.assign(target, f"{function}{'_sync' * synchronous}({arguments})", "u32", item.guard)


def lookup(draft: Draft, item: Instruction) -> None:
    """``lop3.b32``: any function of three bits, by its table."""
    if item.opcode != ("lop3", "b32") or len(item.operands) != 5:
        raise Untranslatable(item.text)
    target, *names, table = item.operands
    number = draft.number(table)
    if number is None or not 0 <= number < 256:
        raise Untranslatable(f"{item.text}, whose table is no number as written")
    a, b, c = (draft.value(name, "u32") for name in names)
    draft.assign(target, _of_three(number, a, b, c), "u32", item.guard)


def _of_three(table: int, a: str, b: str, c: str) -> str:
    without, within = table & 15, table >> 4
    if without == within:
        return _of_two(without, b, c)
    if without == 15 - within:
        return f"{a} ^ ({_of_two(without, b, c)})"
    return f"({a} & ({_of_two(within, b, c)})) | (~{a} & ({_of_two(without, b, c)}))"


def _of_two(table: int, b: str, c: str) -> str:
    """Return the function of two bits whose values for 00, 01, 10 and 11 are the bits of the table."""
    return (
        *("0u", f"~({b} | {c})", f"~{b} & {c}", f"~{b}"),
        *(f"{b} & ~{c}", f"~{c}", f"{b} ^ {c}", f"~({b} & {c})"),
        *(f"{b} & {c}", f"~({b} ^ {c})", c, f"~{b} | {c}"),
        *(b, f"{b} | ~{c}", f"{b} | {c}", "~0u"),
    )[table]


def permute(draft: Draft, item: Instruction) -> None:
    """``prmt.b32``: bytes of two words, or their signs."""
    if item.opcode != ("prmt", "b32") or len(item.operands) != 4:
        raise Untranslatable(item.text)
    target, a, b, selector = item.operands
    number = draft.number(selector)
    first, second, chosen = (draft.value(name, "u32") for name in (a, b, selector))
    if number is not None and not number & 0x8888:
        draft.assign(target, f"__byte_perm({first}, {second}, {chosen})", "u32", item.guard)
        return
    # Of a selector's bit for the sign, __byte_perm says nothing that holds on all devices.
    value, signs = draft.local("unsigned"), draft.local("unsigned")
    parts = " | ".join(f"({chosen} >> {4 * i + 3} & 1) << {8 * i}" for i in range(4))
    draft.do(f"{value} = __byte_perm({first}, {second}, {chosen} & 0x7777)", item.guard)
    draft.do(f"{signs} = ({parts}) * 255", item.guard)
    text = f"({value} & ~{signs}) | ((({value} >> 7 & 0x01010101) * 255) & {signs})"
    draft.assign(target, text, "u32", item.guard)


def load(draft: Draft, item: Instruction) -> None:
    """``ld``: one value, or two or four that lie together."""
    kind, length, volatile = _access(item)
    target, place = item.operands
    pointer = _pointer(draft, place, kind, length, f"const {volatile}", item)
    if length == 1:
        draft.assign(target, f"*{pointer}", _widened(draft, target, kind), item.guard)
        return
    names = _vector(target, length, item)
    value = draft.local(_vector_type(kind, length))
    draft.do(f"{value} = *{pointer}", item.guard)
    for name, member in zip(names, _MEMBERS, strict=False):
        draft.assign(name, f"{value}.{member}", _widened(draft, name, kind), item.guard)


def _widened(draft: Draft, name: str, kind: str) -> str:
    """Return the type as which a value of memory comes to a register, which may be wider."""
    held = draft.register(name).type
    return held if bits(held) > bits(kind) and held[0] != "f" and kind[0] != "f" else kind


def store(draft: Draft, item: Instruction) -> None:
    """``st``: one value, or two or four that lie together."""
    kind, length, volatile = _access(item)
    place, source = item.operands
    pointer = _pointer(draft, place, kind, length, volatile, item)
    values = [
        _stored(draft, name, kind) for name in (_vector(source, length, item) if length > 1 else [source])
    ]
    made = f"make_{_vector_type(kind, length)}({', '.join(values)})" if length > 1 else values[0]
    draft.do(f"*{pointer} = {made}", item.guard)


def _stored(draft: Draft, name: str, kind: str) -> str:
    """Return a value to store, the low part of a wider register."""
    known = draft.operands.get(name) or draft.declared.get(name)
    if known is None or bits(known.type) <= bits(kind) or kind[0] == "f" or known.type[0] == "f":
        return draft.value(name, kind)
    return f"({NAMES[kind]}){parenthesized(draft.value(name, known.type))}"


def _access(item: Instruction) -> tuple[str, int, str]:
    """Return the type of an access, how many values it has, and ``volatile`` where it may not be left out."""
    *words, kind = item.opcode[1:]
    length = next((int(word[1:]) for word in words if word in ("v2", "v4")), 1)
    asked = {word for word in words if word not in ("v2", "v4")}
    volatile = "volatile " if asked & {"volatile", "cv"} else ""
    known = kind in NAMES and kind != "pred"
    if asked - _HINTS - {"volatile", "cv"} or not known or len(item.operands) != 2:
        raise Untranslatable(item.text)
    if length > 1 and (volatile or length * bits(kind) > 128):
        raise Untranslatable(item.text)
    return kind, length, volatile


def _pointer(draft: Draft, place: str, kind: str, length: int, qualifier: str, item: Instruction) -> str:
    """Return the address in the brackets as a pointer."""
    base, _, offset = place.strip("[] ").partition("+")
    by = draft.number(offset.strip()) if offset else 0
    if (
        not place.startswith("[")
        or by is None
        or draft.register(base.strip()).type not in ("b64", "u64", "s64")
    ):
        raise Untranslatable(item.text)
    address = draft.value(base.strip(), "u64")
    name = NAMES[kind] if length == 1 else _vector_type(kind, length)
    pointer = f"{qualifier}{name} *"
    return f"({pointer})({address} + {by})" if by else mark(draft.register(base.strip()), pointer)


def _vector_type(kind: str, length: int) -> str:
    scalar = {"8": "char", "16": "short", "32": "int", "64": "longlong"}[kind[1:]]
    if kind[0] == "f":
        return f"{NAMES[kind]}{length}"
    return f"{'' if kind[0] == 's' else 'u'}{scalar}{length}"


def _vector(text: str, length: int, item: Instruction) -> list[str]:
    names = [name.strip() for name in text.strip("{} ").split(",")]
    if not text.startswith("{") or len(names) != length:
        raise Untranslatable(item.text)
    return names


def halves(draft: Draft, item: Instruction) -> None:
    """``mov`` of a register to its two halves, or from them."""
    wide = item.opcode[-1]
    half = {"b32": "u16", "b64": "u32"}.get(wide)
    if half is None or len(item.opcode) != 2 or len(item.operands) != 2:
        raise Untranslatable(item.text)
    target, source = item.operands
    if target.startswith("{"):
        low, high = _vector(target, 2, item)
        value = draft.local(NAMES[wide])
        draft.do(f"{value} = {draft.value(source, wide)}", item.guard)
        draft.assign(low, f"({NAMES[half]}){value}", half, item.guard)
        draft.assign(high, f"({NAMES[half]})({value} >> {bits(half)})", half, item.guard)
    else:
        low, high = _vector(source, 2, item)
        text = f"({NAMES[wide]}){draft.value(high, half)} << {bits(half)} | {draft.value(low, half)}"
        draft.assign(target, text, wide, item.guard)


def carried(draft: Draft, item: Instruction) -> None:
    """Sums and differences that leave a carry for the next instruction, take one, or both."""
    name, *words, kind = item.opcode
    family = "sub" if name.startswith("sub") else "add"
    takes, leaves = name in ("addc", "subc", "madc"), "cc" in words
    if item.guard or kind not in ("u32", "s32", "u64", "s64") or (takes and draft.carry != family):
        raise Untranslatable(f"{item.text}, whose carry is not known")
    unsigned = f"u{kind[1:]}"
    first, second = _terms(draft, item, [word for word in words if word != "cc"], kind)
    target = item.operands[0]
    operator = "-" if family == "sub" else "+"
    if leaves and _wanted(draft):
        _with_carry(draft, target, (first, second), family, unsigned, takes=takes)
    else:
        carry = f" {operator} ptx_carry" if takes else ""
        draft.assign(target, f"{first} {operator} {second}{carry}", unsigned, "")
    draft.carry = family if leaves else draft.carry


def _terms(draft: Draft, item: Instruction, part: list[str], kind: str) -> tuple[str, str]:
    """Return the two sides of the sum."""
    unsigned, signed = f"u{kind[1:]}", f"s{kind[1:]}"
    names = item.operands[1:]
    if item.opcode[0] not in ("mad", "madc"):
        if part or len(names) != 2:
            raise Untranslatable(item.text)
        return draft.value(names[0], unsigned), draft.value(names[1], unsigned)
    if part not in (["lo"], ["hi"]) or len(names) != 3:
        raise Untranslatable(item.text)
    a, b = (draft.value(name, kind if part == ["hi"] else unsigned) for name in names[:2])
    high = {"u32": "__umulhi", "s32": "__mulhi", "u64": "__umul64hi", "s64": "__mul64hi"}[kind]
    cast = f"({NAMES[unsigned]})" if kind == signed else ""
    product = f"{a} * {b}" if part == ["lo"] else f"{cast}{high}({a}, {b})"
    return product, draft.value(names[2], unsigned)


def _with_carry(
    draft: Draft, target: str, terms: tuple[str, str], family: str, kind: str, *, takes: bool
) -> None:
    value = draft.local(NAMES[kind])
    draft.beforehand["ptx_carry"] = "bool"
    overflows = f"__builtin_{family}_overflow"
    sum_of_terms = f"{overflows}({terms[0]}, {terms[1]}, &{value})"
    if takes:
        again = draft.local("bool")
        draft.do(f"{again} = {sum_of_terms}", "")
        draft.do(f"ptx_carry = {overflows}({value}, ({NAMES[kind]})ptx_carry, &{value}) || {again}", "")
    else:
        draft.do(f"ptx_carry = {sum_of_terms}", "")
    draft.assign(target, value, kind, "")


def _wanted(draft: Draft) -> bool:
    """Tell whether a later instruction takes the carry before another leaves one of its own."""
    for item in draft.rest:
        if item.opcode[0] in ("addc", "subc", "madc"):
            return True
        if "cc" in item.opcode:
            return False
    return False


def nothing(draft: Draft, item: Instruction) -> None:
    """``prefetch``: an address alone, whose memory is not read for its value."""
    place = item.operands[0] if item.operands else ""
    base = place.strip("[] ").partition("+")[0].strip()
    if not place.startswith("["):
        raise Untranslatable(item.text)
    draft.do(f"(void){draft.value(base, 'u64')}", item.guard)


def leave(draft: Draft, item: Instruction) -> None:
    """``exit``: the end of the thread, which in a kernel's own body is a return."""
    if not draft.kernel or item.operands:
        raise Untranslatable(f"{item.text} outside of a kernel's own body")
    draft.do("return", item.guard)


FORMS: Mapping[str, Callable[[Draft, Instruction], None]] = {
    "shfl": shuffle,
    "lop3": lookup,
    "prmt": permute,
    "ld": load,
    "st": store,
    "cvt": convert,
    "addc": carried,
    "subc": carried,
    "madc": carried,
    "prefetch": nothing,
    "prefetchu": nothing,
    "exit": leave,
}
"""By the first part of the opcode."""
