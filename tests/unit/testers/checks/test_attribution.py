"""Reports of sanitizers, read."""

from __future__ import annotations

from transpile.testers.checks.attribution import _accesses, _of_arithmetic

RACE = """==================
WARNING: ThreadSanitizer: data race (pid=29901)
  Write of size 4 at 0x7fffffffe720 by thread T1:
    #0 <null> <null> (library.so+0x2aa3) (BuildId: ed491869720594c906bba78ea2d652d4fa03742e)
    #1 <null> <null> (libomp.so.5+0xe0678) (BuildId: 88dd4c1b40803a1eb06aab61e1089e0504fed768)

  Previous atomic read of size 4 at 0x7fffffffe720 by main thread:
    #0 <null> <null> (/cache/library.so+0x2ab0) (BuildId: ed491869720594c906bba78ea2d652d4fa03742e)
    #1 <null> <null> (libc.so.6+0x27249) (BuildId: 93ac61ec5a8eb1396f9fbd350e3169a558528a40)

SUMMARY: ThreadSanitizer: data race (/cache/library.so+0x2aa3)
"""
OVERFLOW = """==1786==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60200000009c at pc 0x7f35
READ of size 4 at 0x60200000009c thread T0
    #0 0x7f3aff5f1512 in transpile_candidate::axpy(float const*, float*, float, int) /scratch/b/axpy.cu:2
    #1 0x7f3b00445249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

allocated by thread T0 here:
    #0 0x7f3aff5f1286 in transpile_candidate::axpy(float const*, float*, float, int) /scratch/b/axpy.cu:1
"""
TEXTS = {"axpy.cu": b"void axpy()\n{ own[n] = 1; }\n"}


def test_both_sides_of_a_race_are_read() -> None:
    first, second = _accesses(RACE, "library.so")
    assert (first.name, first.frames) == ("write", ("0x2aa3",))
    assert (second.name, second.frames) == ("previous atomic read", ("0x2ab0",))


def test_where_memory_was_taken_is_no_access() -> None:
    [access] = _accesses(OVERFLOW, "library.so")
    assert access.name == "read" and access.frames == ("/scratch/b/axpy.cu:2",)


def test_arithmetic_names_its_line() -> None:
    report = "axpy.cu:2:7: runtime error: index 4 out of bounds for type 'float [4]'\n"
    assert _of_arithmetic(report, TEXTS) == "index 4 out of bounds for type 'float [4]' in `{ own[n] = 1; }`"
    assert _of_arithmetic(RACE, TEXTS) == ""
