"""Inline PTX: text in, C++ out, and what has no translation named."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.code.lexer import tokenize
from transpile.core import Candidate
from transpile.parsers.ptx.places import places, plain
from transpile.parsers.ptx.statement import Untranslatable
from transpile.parsers.ptx.table import ROWS, Row
from transpile.parsers.ptx.translate import translate
from transpile.translators.kernels import openmp
from transpile.translators.targets.hip.leftovers import leftovers
from transpile.translators.targets.hip.text import ported

LANE = "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32"


def translated(text: str, *, kernel: bool = False) -> str:
    return " ".join(translate(tokenize(text.encode()).text, kernel=kernel))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('asm("mov.u32 %0, %%laneid;" : "=r"(x))', f"x = ({LANE})"),
        ('asm("mov.u32 %0, %ctaid.y;" : "=r"(x))', "x = blockIdx.y"),
        ('asm("add.s32 %0, %1, %2;" : "=r"(x) : "r"(a + b), "r"(c))', "x = (unsigned)(a+b) + (unsigned)c"),
        ('asm("add.u32 %0, %1, -1;" : "=r"(x) : "r"(a))', "x = (unsigned)a + 0xffffffffu"),
        ('asm("mul.hi.s32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b))', "x = __mulhi((int)a, (int)b)"),
        ('asm("popc.b64 %0, %1;" : "=r"(x) : "l"(a))', "x = __popcll((unsigned long long)a)"),
        ('asm("mov.b32 %0, %1;" : "=r"(x) : "f"(a))', "x = __float_as_uint(a)"),
        ('asm("mov.b64 %0, %1;" : "=l"(x) : "l"(p))', "x = (__typeof__(x))((unsigned long long)p)"),
        ('asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(a))', "x = exp2f(a)"),
        ('asm("mov.f32 %0, 0f3F800000;" : "=f"(x))', "x = __uint_as_float(0x3f800000u)"),
        ('asm("lop3.b32 %0, %1, 5, 7, 0x96;" : "=r"(x) : "r"(a))', "x = (unsigned)a ^ (5u ^ 7u)"),
        ('asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(p + i))', "x = *(const float *)(p+i)"),
        ('asm("st.volatile.u32 [%0], %1;" :: "l"(p), "r"(x))', "*(volatile unsigned *)p = (unsigned)x"),
        (
            'asm("shfl.sync.bfly.b32 %0, %1, 16, 0x1f, -1;" : "=r"(x) : "r"(y))',
            "x = __shfl_xor_sync(0xffffffffu, (unsigned)y, 16)",
        ),
        (
            'asm("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" : "=r"(x) : "r"(y), "r"(0), "r"(0x181f), "r"(m))',
            "x = __shfl_sync((unsigned)m, (unsigned)y, 0, 8)",
        ),
        ('asm("cvt.rn.f32.f64 %0, %1;" : "=f"(x) : "d"(a))', "x = (float)a"),
        ('asm("cvt.f64.f32 %0, %1;" : "=d"(x) : "f"(a))', "x = (double)a"),
        ('asm("cvt.s32.s8 %0, %1;" : "=r"(x) : "r"(a))', "x = (int)((signed char)(unsigned)a)"),
        ('asm("cvt.rn.f32.u64 %0, %1;" : "=f"(x) : "l"(a))', "x = (float)(unsigned long long)a"),
        ('asm("cvt.rmi.s32.f32 %0, %1;" : "=r"(x) : "f"(a))', "x = __float2int_rd(a)"),
        ('asm volatile("bar.sync 0;" ::: "memory")', "__syncthreads()"),
        ('asm volatile("" ::: "memory")', "(void)0"),
        ('asm("exit;")', "return"),
        ('asm("add.u32 %[to], %[a], 1;" : [to] "=r"(x) : [a] "r"(y))', "x = (unsigned)y + 1u"),
    ],
)  # fmt: skip
def test_one_instruction_becomes_one_statement(text: str, expected: str) -> None:
    assert translated(text, kernel=True) == expected


def test_several_become_a_block_that_reads_first_and_writes_last() -> None:
    text = """asm("{ .reg .u32 t;\\n\\t add.u32 t, %1, %2; // the sum\\n mul.lo.u32 %0, t, t; }"
        : "=r"(*to) : "r"(f(x)), "r"(y))"""
    assert translated(text) == (
        "do { auto &ptx_at_0 = *to; const unsigned ptx_1 = (unsigned)(f(x)); "
        "unsigned ptx_t = ptx_1 + (unsigned)y; unsigned ptx_0 = ptx_t * ptx_t; ptx_at_0 = ptx_0; } while (0)"
    )


def test_signs_of_bytes_are_not_left_to_byte_perm_which_has_none_in_hip() -> None:
    plain_bytes = translated('asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(x) : "r"(a), "r"(b))')
    assert plain_bytes == "x = __byte_perm((unsigned)a, (unsigned)b, 21520u)"
    for selector in ("0xba98", "%3"):
        signs = translated(f'asm("prmt.b32 %0, %1, %2, {selector};" : "=r"(x) : "r"(a), "r"(b), "r"(c))')
        assert "& 0x7777)" in signs


def test_what_a_statement_both_reads_and_writes_is_evaluated_once() -> None:
    assert translated('asm("add.u32 %0, %0, 1;" : "+r"(x))') == "x = (unsigned)x + 1u"
    block = translated('asm("add.u32 %0, %0, 1;" : "+r"(a[i++]))')
    assert block.count("i++") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('asm("tanh.approx.bf16x2 %0, %1;" : "=r"(x) : "r"(y))', "tanh.approx.bf16x2 %0, %1"),
        ('asm("add.sat.s32 %0, %1, %1;" : "=r"(x) : "r"(y))', "add.sat.s32"),
        ('asm("fma.rn.ftz.f32 %0, %1, %1, %1;" : "=f"(x) : "f"(y))', "fma.rn.ftz.f32"),
        ('asm("addc.u32 %0, %1, %1;" : "=r"(x) : "r"(y))', "whose carry is not known"),
        ('asm("add.cc.u32 %0, %1, %1; subc.u32 %0, %1, %1;" : "=r"(x) : "r"(y))', "carry"),
        ('asm("mov.u32 %0, %%pm0;" : "=r"(x))', "the register %pm0"),
        ('asm("bar.sync 1, 64;")', "bar.sync 1, 64"),
        ('asm("bar.sync %0;" :: "r"(n))', "bar.sync"),
        ('asm("lop3.b32 %0, %1, %1, %1, %2;" : "=r"(x) : "r"(y), "r"(t))', "table is no number"),
        ('asm("shfl.sync.up.b32 %0, %1, 1, %2, -1;" : "=r"(x) : "r"(y), "r"(c))', "width is no number"),
        ('asm("shfl.sync.up.b32 %0, %1, 1, 0x1f, -1;" : "=r"(x) : "r"(y))', "shfl.sync.up"),
        ('asm("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(address))', "ld.shared.u32"),
        ('asm("ld.acquire.gpu.u32 %0, [%1];" : "=r"(x) : "l"(p))', "ld.acquire"),
        (
            'asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; @p mov.u32 %0, 1; }" : "=r"(x) : "r"(y))',
            "not written",
        ),
        ('asm("{ .reg .u32 t; add.u32 %0, t, 1; }" : "=r"(x))', "before it is written"),
        ('asm("mov.u32 %1, %0;" :: "r"(x), "r"(y))', "no output"),
        ('asm("mov.u32 %0, %1;" : "=r"(x) : "l"(y))', "read as u32"),
        ('asm("mov.u32 %0, 077;" : "=r"(x))', "octal"),
        ('asm("L: bra L;")', "L: bra L"),
        ('asm("bar.sync 0")', "bar.sync 0"),
        ("asm(TEXT)", "no string"),
        ('asm("add.u32 %0, %1, 1;" : "=r"(x) : "0"(x))', "the constraint"),
        ('asm("exit;")', "outside of a kernel"),
        ('asm("cvt.sat.u8.s32 %0, %1;" : "=r"(x) : "r"(y))', "cvt.sat.u8.s32"),
        ('asm("cvt.rz.f32.f64 %0, %1;" : "=f"(x) : "d"(y))', "cvt.rz.f32.f64"),
        ('asm("cvt.rzi.s64.f64 %0, %1;" : "=l"(x) : "d"(y))', "cvt.rzi.s64.f64"),
        ('asm("cvt.u64.u32 %0, %1;" : "=r"(x) : "r"(y))', "cvt.u64.u32"),
    ],
)
def test_what_has_no_translation_is_named(text: str, said: str) -> None:
    with pytest.raises(Untranslatable) as refused:
        translated(text)
    assert said in str(refused.value)


@pytest.mark.parametrize("row", dict.fromkeys(ROWS.values()), ids=lambda row: f"{row.opcode}.{row.types}")
def test_a_row_uses_every_operand_that_it_has(row: Row) -> None:
    kinds = row.kinds.split()[1:]
    assert all(f"{{{index}}}" in row.text for index, kind in enumerate(kinds) if kind != "0")


def test_a_parameter_of_a_macro_may_be_anything() -> None:
    text = b'#define ADD(d, a) asm("add.u32 %0, %1, %1;" : "=r"(d) : "r"(a))\n'
    assert b"const unsigned ptx_1 = (unsigned)(a);" in plain(text)
    text = b'#define SET(p, a) \\\n  asm("st.u32 [%0], %1;" \\\n :: "l"(p), "r"(a))\n'
    assert plain(text) == b"#define SET(p, a) \\\n  *(unsigned *)(p) = (unsigned)(a)\\\n\n"


def test_a_return_is_not_put_into_a_function_or_a_lambda() -> None:
    device = b'__device__ int f() { asm("exit;"); return 1; }\n'
    inner = b'__global__ void k() { auto f = [] { asm("exit;"); }; f(); }\n'
    assert all(place.refused for text in (device, inner) for place in places(text))
    assert plain(b'__global__ void k() { asm("exit;"); }') == b"__global__ void k() { return; }"


def test_no_line_moves() -> None:
    text = b"""__device__ void f(int &x) {
  asm volatile("{ .reg .u32 t;\\n"
    "mov.u32 t, %0;\\n"
    "add.u32 %0, t, t; }"
    : "+r"(x));
  g();
}
"""
    result = plain(text)
    assert result.count(b"\n") == text.count(b"\n")
    assert result.splitlines()[5] == b"  g();"


VOTE = b"""__global__ void k(unsigned *x, unsigned m) {
    unsigned v;
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
        : "=r"(v) : "r"(x[0]), "r"(m));
    x[1] = v;
    asm("mov.u64 %0, %%globaltimer;" : "=l"(t));
    asm("cp.async.wait_all;");
}
"""


def test_a_port_to_hip_has_what_the_assembly_does() -> None:
    port = ported("a.cu", VOTE)
    assert b"warp32::ballot((unsigned)m, ptx_p)" in port and b"vote" not in port
    assert [item.name for item in leftovers(port, frozenset((b"__globaltimer",)))] == [
        "__globaltimer",
        "inline PTX (cp.async.wait_all)",
    ]


def test_the_rules_read_what_the_assembly_does(tmp_path: Path) -> None:
    text = """#define FLIP(d, a) asm("not.b32 %0, %1;" : "=r"(d) : "r"(a))
__global__ void k(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int y;
        asm("popc.b32 %0, %1;" : "=r"(y) : "r"(x[i]));
        x[i] = y;
    }
}
"""
    (tmp_path / "a.cu").write_text(text)
    source = parsers.read(tmp_path)
    found = openmp.propose(source, source.units[0], ())
    assert isinstance(found, Candidate)
    assert b"y = __builtin_popcount((unsigned)(x[i]));" in found.replacements[0].text
