"""Reports of perf, read."""

from __future__ import annotations

from transpile.toolchains.profiler import parsed

WRITTEN = """# started on Sun Nov 22 04:00:00 2026

0.58,msec,task-clock,584110,100.00,0.411,CPUs utilized
49,,page-faults:u,584110,100.00,83.888,K/sec
<not supported>,,instructions,0,100.00,,
<not counted>,,cycles,0,0.00,,
12,,somebody-elses,1,100.00,,
"""


def test_what_is_not_counted_is_left_out() -> None:
    assert parsed(WRITTEN) == {"task-clock": 0.58, "page-faults": 49.0}


def test_what_is_no_count_says_nothing() -> None:
    assert parsed("perf: Permission denied\n,,,\n") == {}
