"""Barriers in code that takes the lanes of a warp to run in step, and code that gets none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from transpile import parsers
from transpile.code.edits import apply
from transpile.parsers.lowering.emulation import lower
from transpile.parsers.warp_synchronous import _edits, waiting, waiting_text

HEAD = "__global__ void k(const float *in, float *out, volatile int *flags) {\n"


def ascending(body: str) -> str:
    """Return a kernel's body as it is for lanes in ascending order."""
    text = f"{HEAD}{body}\n}}\n".encode()
    return apply(text, _edits(text, True)).decode().removeprefix(HEAD).removesuffix("\n}\n")


def any_order(body: str) -> str:
    """Return a kernel's body as it is for lanes in any order."""
    return waiting_text(f"{HEAD}{body}\n}}\n".encode()).decode().removeprefix(HEAD).removesuffix("\n}\n")


SHARED = "__shared__ volatile float s[64]; int t = threadIdx.x; s[t] = in[t]; "
PLAIN = SHARED.replace("volatile", "")


def test_all_lanes_read_before_any_writes() -> None:
    assert any_order(f"{SHARED}s[t] += s[t + 1];") == (
        f"{SHARED}__syncwarp(__activemask()); float lane_value = s[t] + (s[t + 1]); "
        "__syncwarp(__activemask()); s[t] = lane_value; __syncwarp(__activemask());"
    )


def test_memory_of_the_device_is_exchanged_too() -> None:
    text = b"__global__ void k(int *a) { volatile int *v = a; int t = threadIdx.x; v[t] += v[t + 1]; }"
    assert waiting_text(text).count(b"__syncwarp") == 3
    assert waiting_text(text.replace(b"volatile ", b"")) == text.replace(b"volatile ", b"")
    assert waiting_text(text.replace(b"__global__ ", b"")) == text.replace(b"__global__ ", b"")


def test_what_lies_ahead_needs_no_value_of_its_own_where_lanes_come_in_their_order() -> None:
    assert ascending(f"{SHARED}s[t] += s[t + 1];") == f"{PLAIN}__syncwarp(); s[t] += s[t + 1]; __syncwarp();"
    assert "lane_value" in ascending(f"{SHARED}s[t] += s[t - 1];")
    assert "lane_value" in ascending(f"{SHARED}s[t] += s[t ^ 1];")
    assert "lane_value" in ascending(f"{SHARED}s[t] += s[t + 1] + s[t - 1];")
    assert "lane_value" in ascending(f"{SHARED}s[t] += s[t + n];")


def test_a_condition_that_parts_a_warp_becomes_that_of_each_statement() -> None:
    text = ascending(f"{SHARED}if (t < 16) {{ s[t] += s[t + 2]; s[t] += s[t + 1]; out[t] = s[t]; }}")
    assert text == (
        f"{PLAIN} __syncwarp(); if (t < 16) s[t] += s[t + 2]; __syncwarp(); "
        "if (t < 16) s[t] += s[t + 1]; __syncwarp(); if (t < 16) out[t] = s[t]; "
    )


def test_a_condition_that_its_statements_change_stays_whole() -> None:
    text = ascending(f"{SHARED}if (t < 16) {{ s[t] += s[t + 2]; t += 1; s[t] += s[t + 1]; }}")
    assert "if (t < 16) {" in text


def test_a_condition_is_asked_before_and_after_the_barrier() -> None:
    assert ascending(f"{SHARED}if (t >= 1) s[t] = s[t - 1] + s[t];") == (
        f"{PLAIN}__syncwarp(); float lane_value; if (t >= 1) lane_value = s[t - 1] + s[t]; "
        "__syncwarp(); if (t >= 1) s[t] = lane_value; __syncwarp();"
    )


@pytest.mark.parametrize(
    "body",
    [
        "flags[threadIdx.x] += flags[threadIdx.x + 1];",
        "__shared__ float s[64]; s[threadIdx.x] += s[threadIdx.x + 1];",
        f"{SHARED}s[t] += 1; out[t] = s[t];",
        f"{SHARED}__syncthreads(); s[t] += s[t + 1]; __syncthreads();",
    ],
    ids=["memory of the grid", "not volatile", "elements of its own", "barriers of the block"],
)
def test_other_code_gets_no_barriers(body: str) -> None:
    assert any_order(body) == body
    assert ascending(body) == body.replace(SHARED, PLAIN)


@pytest.mark.parametrize(
    "body",
    [
        "int k = t; if (k < 20) s[t] = s[++k] + 1;",
        "float v = in[t]; if (v < 4) s[t] = v = v + s[t + 1];",
        "int i = t; s[i++] += s[t + 1];",
        "for (int i = s[31 - t]; i < 4; i++) out[i] = i;",
        "switch (t) { case 0: float v = s[t + 1]; out[t] = v; }",
    ],
    ids=["value changes the condition", "variable kept", "place changes", "head of a loop", "case"],
)
def test_what_may_not_be_asked_twice_is_left_as_it_is(body: str) -> None:
    assert any_order(f"{SHARED}{body}") == f"{SHARED}{body}"
    assert "__syncwarp" not in ascending(f"{SHARED}{body}")


@pytest.mark.parametrize(
    "body",
    [
        "for (int o = 16; o > 0; o >>= 1) if (t < o) { s[t] += s[t + o]; out[t] = o; }",
        "if (n < 0) if (t < 16) { s[t] += s[t + 1]; out[t] = 1; }",
        "if (n > 3) out[t] = 1; else if (t < 16) { s[t] += s[t + 1]; out[t] = 2; }",
        "if (out[t] > 0) { out[t] -= 1; s[t] += s[t + 1]; }",
        "int k = t, *p = &k; if (*p < 16) { *p += 8; s[t] += s[t + 1]; }",
        "if (k < 16) { k += 8; s[t] += s[t + 1]; }",
    ],
    ids=["body of a loop", "body of a branch", "other branch", "memory", "pointer", "variable"],
)
def test_branches_whose_statements_belong_together_stay_whole(body: str) -> None:
    for text in (
        any_order(f"{SHARED}int n = 1, k = t; {body}"),
        ascending(f"{SHARED}int n = 1, k = t; {body}"),
    ):
        assert re.search(r"\) \{ .*s\[t\] .*; \}", text) is not None
        assert text.count("if (") == body.count("if (")


def test_units_keep_their_lines(tmp_path: Path) -> None:
    text = f"{HEAD}{SHARED}\n  s[t] =\n    s[t - 1];\n out[t] = s[t];\n}}\n__global__ void other() {{}}\n"
    (tmp_path / "a.cu").write_text(text)
    source = parsers.read(tmp_path)
    for ordered in (True, False):
        found = waiting(source, ascending=ordered)
        assert [unit.id for unit in found.units] == [unit.id for unit in source.units]
        assert found.files["a.cu"].count(b"\n") == source.files["a.cu"].count(b"\n")
        assert found.unit(source.units[-1].id).text == source.units[-1].text
        assert b"__syncwarp" in found.units[0].text


def test_what_is_judged_gets_no_barriers_of_ours(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(f"{HEAD}out[0] = in[0];\n}}\n")
    source = parsers.read(tmp_path)
    candidate = f"{HEAD}{SHARED}s[t] += s[t + 1];\n}}\n".encode()
    lowered = lower(source, insertions=[{source.units[0].id: candidate}])["a.cu"]
    assert b"s[t] += s[t + 1];" in lowered and b"__syncwarp" not in lowered
