"""PTX instructions and what each computes, one row each: the only place that says what PTX means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """An instruction and its expression in CUDA's C++.

    An operand is of the instruction's type (``t``), unsigned or signed of that width (``u``, ``s``) or of
    twice the width (``U``, ``S``), 32 bits without a sign (``i``), a predicate (``p``), or 0 itself (``0``).
    """

    opcode: str
    """Without the type."""
    types: str
    """Those that it is of; empty where it has none."""
    kinds: str
    """Of the result (``-`` where there is none), then of the operands."""
    text: str


_WHOLE = "u32 s32 u64 s64"
_BITS = "b16 b32 b64"
_ALL = "u16 s16 b16 u32 s32 b32 u64 s64 b64 f32 f64"
_COMPARED = "u16 s16 u32 s32 u64 s64 f32 f64"
_LOW = "min({1} & 255u, 32u)"
_LENGTH = "min({2} & 255u, 32u)"

_ARITHMETIC = (
    Row("add", "u16 s16 " + _WHOLE, "u u u", "{0} + {1}"),
    Row("sub", "u16 s16 " + _WHOLE, "u u u", "{0} - {1}"),
    Row("neg", "s32 s64", "u u", "0 - {0}"),
    Row("mul.lo", _WHOLE, "u u u", "{0} * {1}"),
    Row("mul.hi", "u32", "u u u", "__umulhi({0}, {1})"),
    Row("mul.hi", "s32", "s s s", "__mulhi({0}, {1})"),
    Row("mul.hi", "u64", "u u u", "__umul64hi({0}, {1})"),
    Row("mul.hi", "s64", "s s s", "__mul64hi({0}, {1})"),
    Row("mul.wide", "u16 u32", "U u u", "({wide}){0} * {1}"),
    Row("mul.wide", "s16 s32", "S s s", "({signed_wide}){0} * {1}"),
    Row("mul24.lo", "u32", "u u u", "__umul24({0}, {1})"),
    Row("mul24.lo", "s32", "s s s", "__mul24({0}, {1})"),
    Row("mad.lo", _WHOLE, "u u u u", "{0} * {1} + {2}"),
    Row("mad.hi", "u32", "u u u u", "__umulhi({0}, {1}) + {2}"),
    Row("mad.hi", "s32", "u s s u", "(unsigned)__mulhi({0}, {1}) + {2}"),
    Row("mad.hi", "u64", "u u u u", "__umul64hi({0}, {1}) + {2}"),
    Row("mad.hi", "s64", "u s s u", "(unsigned long long)__mul64hi({0}, {1}) + {2}"),
    Row("mad.wide", "u16 u32", "U u u U", "({wide}){0} * {1} + {2}"),
    Row("mad.wide", "s16 s32", "U s s U", "({wide})(({signed_wide}){0} * {1}) + {2}"),
    Row("sad", "u32", "u u u u", "__usad({0}, {1}, {2})"),
    Row("sad", "s32", "u s s u", "__sad({0}, {1}, {2})"),
    Row("min", _WHOLE, "t t t", "min({0}, {1})"),
    Row("max", _WHOLE, "t t t", "max({0}, {1})"),
)
_OF_BITS = (
    Row("and", _BITS, "u u u", "{0} & {1}"),
    Row("or", _BITS, "u u u", "{0} | {1}"),
    Row("xor", _BITS, "u u u", "{0} ^ {1}"),
    Row("not", _BITS, "u u", "~{0}"),
    Row("shl", "b32", "u u i", "(unsigned)((unsigned long long){0} << min({1}, 32u))"),
    Row("shl", "b64", "u u i", "{1} < 64 ? {0} << {1} : 0"),
    Row("shr", "u32 b32", "u u i", "(unsigned)((unsigned long long){0} >> min({1}, 32u))"),
    Row("shr", "s32", "s s i", "{0} >> min({1}, 31u)"),
    Row("shr", "u64 b64", "u u i", "{1} < 64 ? {0} >> {1} : 0"),
    Row("shr", "s64", "s s i", "{0} >> min({1}, 63u)"),
    Row("shf.l.wrap", "b32", "u u u i", "__funnelshift_l({0}, {1}, {2})"),
    Row("shf.l.clamp", "b32", "u u u i", "__funnelshift_lc({0}, {1}, {2})"),
    Row("shf.r.wrap", "b32", "u u u i", "__funnelshift_r({0}, {1}, {2})"),
    Row("shf.r.clamp", "b32", "u u u i", "__funnelshift_rc({0}, {1}, {2})"),
    Row("brev", "b32", "u u", "__brev({0})"),
    Row("brev", "b64", "u u", "__brevll({0})"),
    Row("popc", "b32", "i u", "__popc({0})"),
    Row("popc", "b64", "i u", "__popcll({0})"),
    Row("clz", "b32", "i s", "__clz({0})"),
    Row("clz", "b64", "i s", "__clzll({0})"),
    Row("bfind", "u32", "i s", "31 - __clz({0})"),
    Row("bfind", "s32", "i s", "31 - __clz({0} ^ {0} >> 31)"),
    Row("bfind", "u64", "i s", "63 - __clzll({0})"),
    Row("bfind", "s64", "i s", "63 - __clzll({0} ^ {0} >> 63)"),
    Row("bfind.shiftamt", "u32", "i s", "{0} == 0 ? ~0u : __clz({0})"),
    Row("bfind.shiftamt", "s32", "i s", "({0} ^ {0} >> 31) == 0 ? ~0u : __clz({0} ^ {0} >> 31)"),
    Row("fns", "b32", "u u i s", "__fns({0}, {1}, {2})"),
    Row(
        "bfe",
        "u32",
        "u u i i",
        f"(unsigned)((unsigned long long){{0}} >> {_LOW} & ((1ull << {_LENGTH}) - 1))",
    ),
    # The field goes to the top of 64 bits and comes back with its sign; in two steps, as it may be empty.
    Row(
        "bfe",
        "s32",
        "s s i i",
        f"(int)((long long)((unsigned long long)((long long){{0}} >> {_LOW}) << (63 - {_LENGTH}) << 1)"
        f" >> (63 - {_LENGTH}) >> 1)",
    ),
    Row(
        "bfe",
        "u64",
        "u u i i",
        "(({1} & 255u) < 64 ? {0} >> ({1} & 255u) : 0)"
        " & (({2} & 255u) < 64 ? (1ull << ({2} & 255u)) - 1 : ~0ull)",
    ),
    Row(
        "bfi",
        "b32",
        "u u u i i",
        "(unsigned)({1} ^ (({1} ^ (unsigned long long){0} << min({2} & 255u, 32u))"
        " & ((1ull << min({3} & 255u, 32u)) - 1) << min({2} & 255u, 32u)))",
    ),
)
_FLOATING = (
    Row("add", "f32 f64", "t t t", "{0} + {1}"),
    Row("sub", "f32 f64", "t t t", "{0} - {1}"),
    Row("mul", "f32 f64", "t t t", "{0} * {1}"),
    Row("add.rn", "f32", "t t t", "__fadd_rn({0}, {1})"),
    Row("add.rn", "f64", "t t t", "__dadd_rn({0}, {1})"),
    Row("sub.rn", "f32", "t t t", "__fsub_rn({0}, {1})"),
    Row("sub.rn", "f64", "t t t", "__dsub_rn({0}, {1})"),
    Row("mul.rn", "f32", "t t t", "__fmul_rn({0}, {1})"),
    Row("mul.rn", "f64", "t t t", "__dmul_rn({0}, {1})"),
    Row("fma.rn", "f32", "t t t t", "fmaf({0}, {1}, {2})"),
    Row("fma.rn", "f64", "t t t t", "fma({0}, {1}, {2})"),
    Row("mad.rn", "f32", "t t t t", "fmaf({0}, {1}, {2})"),
    Row("mad.rn", "f64", "t t t t", "fma({0}, {1}, {2})"),
    Row("div.rn", "f32", "t t t", "__fdiv_rn({0}, {1})"),
    Row("div.rn", "f64", "t t t", "__ddiv_rn({0}, {1})"),
    Row("rcp.rn", "f32", "t t", "__frcp_rn({0})"),
    Row("rcp.rn", "f64", "t t", "__drcp_rn({0})"),
    Row("sqrt.rn", "f32", "t t", "__fsqrt_rn({0})"),
    Row("sqrt.rn", "f64", "t t", "__dsqrt_rn({0})"),
    Row("abs", "f32", "t t", "fabsf({0})"),
    Row("abs", "f64", "t t", "fabs({0})"),
    Row("neg", "f32 f64", "t t", "-{0}"),
    Row("min", "f32", "t t t", "fminf({0}, {1})"),
    Row("min", "f64", "t t t", "fmin({0}, {1})"),
    Row("max", "f32", "t t t", "fmaxf({0}, {1})"),
    Row("max", "f64", "t t t", "fmax({0}, {1})"),
    Row("div.full", "f32", "t t t", "{0} / {1}"),
    Row("div.approx", "f32", "t t t", "__fdividef({0}, {1})"),
    Row("rcp.approx", "f32", "t t", "1.0f / {0}"),
    Row("sqrt.approx", "f32", "t t", "sqrtf({0})"),
    Row("rsqrt.approx", "f32", "t t", "rsqrtf({0})"),
    Row("ex2.approx", "f32", "t t", "exp2f({0})"),
    Row("lg2.approx", "f32", "t t", "log2f({0})"),
    Row("sin.approx", "f32", "t t", "__sinf({0})"),
    Row("cos.approx", "f32", "t t", "__cosf({0})"),
    Row("tanh.approx", "f32", "t t", "tanhf({0})"),
)
_MOVED = (
    Row("mov", _ALL, "t t", "{0}"),
    Row("mov", "pred", "p p", "{0}"),
    Row("selp", _ALL, "t t t p", "{2} ? {0} : {1}"),
    # An address in one part of memory is the address that it has among all of it.
    *(
        Row(f"cvta.{to}{space}", "u64", "u u", "{0}")
        for to in ("", "to.")
        for space in ("global", "shared", "local", "const")
    ),
)
_OF_PREDICATES = (
    Row("and", "pred", "p p p", "{0} && {1}"),
    Row("or", "pred", "p p p", "{0} || {1}"),
    Row("xor", "pred", "p p p", "{0} != {1}"),
    Row("not", "pred", "p p", "!{0}"),
    Row("setp.eq", _COMPARED + " " + _BITS, "p t t", "{0} == {1}"),
    Row("setp.ne", "u16 s16 " + _WHOLE + " " + _BITS, "p t t", "{0} != {1}"),
    Row("setp.lt", _COMPARED, "p t t", "{0} < {1}"),
    Row("setp.le", _COMPARED, "p t t", "{0} <= {1}"),
    Row("setp.gt", _COMPARED, "p t t", "{0} > {1}"),
    Row("setp.ge", _COMPARED, "p t t", "{0} >= {1}"),
    Row("setp.lo", "u16 u32 u64", "p t t", "{0} < {1}"),
    Row("setp.ls", "u16 u32 u64", "p t t", "{0} <= {1}"),
    Row("setp.hi", "u16 u32 u64", "p t t", "{0} > {1}"),
    Row("setp.hs", "u16 u32 u64", "p t t", "{0} >= {1}"),
    # Of these the plain forms are false where an operand is no number, the others true.
    Row("setp.ne", "f32 f64", "p t t", "{0} < {1} || {0} > {1}"),
    Row("setp.equ", "f32 f64", "p t t", "!({0} < {1} || {0} > {1})"),
    Row("setp.neu", "f32 f64", "p t t", "{0} != {1}"),
    Row("setp.ltu", "f32 f64", "p t t", "!({0} >= {1})"),
    Row("setp.leu", "f32 f64", "p t t", "!({0} > {1})"),
    Row("setp.gtu", "f32 f64", "p t t", "!({0} <= {1})"),
    Row("setp.geu", "f32 f64", "p t t", "!({0} < {1})"),
)
_OF_WARPS = (
    Row("activemask", "b32", "u", "__activemask()"),
    Row("vote.sync.ballot", "b32", "u p i", "__ballot_sync({1}, {0})"),
    Row("vote.sync.any", "pred", "p p i", "__any_sync({1}, {0}) != 0"),
    Row("vote.sync.all", "pred", "p p i", "__all_sync({1}, {0}) != 0"),
    Row("vote.ballot", "b32", "u p", "__ballot({0})"),
    Row("vote.any", "pred", "p p", "__any({0}) != 0"),
    Row("vote.all", "pred", "p p", "__all({0}) != 0"),
    Row("match.any.sync", "b32 b64", "i u i", "__match_any_sync({1}, {0})"),
    Row("redux.sync.min", "u32 s32", "t t i", "__reduce_min_sync({1}, {0})"),
    Row("redux.sync.max", "u32 s32", "t t i", "__reduce_max_sync({1}, {0})"),
    Row("redux.sync.add", "u32 s32", "u u i", "__reduce_add_sync({1}, {0})"),
    Row("redux.sync.and", "b32", "u u i", "__reduce_and_sync({1}, {0})"),
    Row("redux.sync.or", "b32", "u u i", "__reduce_or_sync({1}, {0})"),
    Row("redux.sync.xor", "b32", "u u i", "__reduce_xor_sync({1}, {0})"),
    Row("bar.warp.sync", "", "- i", "__syncwarp({0})"),
)
_WITHOUT_RESULT = (
    *(
        Row(name, "", "- 0", "__syncthreads()")
        for kind in ("bar", "barrier", "bar.cta", "barrier.cta")
        for name in (f"{kind}.sync", f"{kind}.sync.aligned")
    ),
    *(
        Row(name, "", "-", f"{function}()")
        for function, words, scope in (
            ("__threadfence_block", "membar.cta", "cta"),
            ("__threadfence", "membar.gl", "gpu"),
            ("__threadfence_system", "membar.sys", "sys"),
        )
        for name in (words, f"fence.acq_rel.{scope}", f"fence.sc.{scope}")
    ),
    Row("nanosleep", "u32", "- i", "__nanosleep({0})"),
    Row("trap", "", "-", "__builtin_trap()"),
)
ROWS: Mapping[tuple[str, str], Row] = {
    (row.opcode, kind): row
    for row in (
        *_ARITHMETIC,
        *_OF_BITS,
        *_FLOATING,
        *_MOVED,
        *_OF_PREDICATES,
        *_OF_WARPS,
        *_WITHOUT_RESULT,
    )
    for kind in row.types.split() or ("",)
}
"""By opcode and type."""

_THREAD = "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)"
LANE = f"({_THREAD} % 32)"
"""The number of a thread in its warp of 32."""
SPECIAL: Mapping[str, tuple[str, str]] = {
    **{
        f"%{name}.{axis}": ("u32", f"{variable}.{axis}")
        for name, variable in (
            ("tid", "threadIdx"),
            ("ntid", "blockDim"),
            ("ctaid", "blockIdx"),
            ("nctaid", "gridDim"),
        )
        for axis in "xyz"
    },
    "%laneid": ("u32", LANE),
    "%warpid": ("u32", f"({_THREAD} / 32)"),
    "%smid": ("u32", "__smid()"),
    "%clock": ("u32", "(unsigned)clock64()"),
    "%clock64": ("u64", "(unsigned long long)clock64()"),
    "%globaltimer": ("u64", "__globaltimer()"),
    "%lanemask_eq": ("u32", f"(1u << {LANE})"),
    "%lanemask_lt": ("u32", f"((1u << {LANE}) - 1)"),
    "%lanemask_le": ("u32", f"((2u << {LANE}) - 1)"),
    "%lanemask_gt": ("u32", f"(~1u << {LANE})"),
    "%lanemask_ge": ("u32", f"(~0u << {LANE})"),
}
"""Registers that are always there: type and value."""
