"""Lines of our texts that places come from."""

from __future__ import annotations

from transpile.testers.run.sites import line

TEXTS = {"axpy.cu": b"void axpy()\n{ own[n] = 1; }\n"}


def test_a_line_is_that_of_the_first_place_in_our_texts() -> None:
    assert line("/usr/include/c++/vector:90\n/scratch/b/axpy.cu:2\n", TEXTS) == "{ own[n] = 1; }"
    assert line("/scratch/b/axpy.cu:285", TEXTS) == ""
    assert line("??:?", TEXTS) == ""
