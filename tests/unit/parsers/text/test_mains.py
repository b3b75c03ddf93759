"""Programs that are run without being told how."""

from __future__ import annotations

import pytest

from transpile.core import ProgramTarget
from transpile.parsers.text.mains import with_plain_runs, with_stated_runs


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("int main() { return 0; }", (("./a",),)),
        ("int main(void)\n{ return 0; }", (("./a",),)),
        ("int main(int argc, char **argv) { int c = 1; return c - 1; }", (("./a",),)),
        ("int main(int argc, char *argv[]) { return argc > 1 ? 1 : 0; }", ()),
        ("int main(int n, const char *const words[]) { return words[1] != 0; }", ()),
        ("int main(int argc, char **argv) { int n = argc > 1 ? 1 : 0; k<<<1, n>>>(); }", (("./a",),)),
        ("// int main() {}\nint remain() { return 0; }", ()),
        ("int main();", ()),
        ("#ifdef A\nint main() { return 0; }\n#else\nint main() { return 1; }\n#endif", ()),
    ],
)
def test_programs_that_may_do_their_work_without_arguments_are_run_without_any(
    text: str, runs: tuple[tuple[str, ...], ...]
) -> None:
    [found] = with_plain_runs([ProgramTarget(name="a", translation_units=("a.cu",))], {"a.cu": text.encode()})
    assert (found.runs, found.unasked) == (runs, bool(runs))


def test_runs_that_a_build_file_names_stay() -> None:
    program = ProgramTarget(name="a", translation_units=("a.cu",), runs=(("./a", "64"),))
    assert with_plain_runs([program], {"a.cu": b"int main() { return 0; }"}) == (program,)


def test_a_run_without_arguments_is_asked_for_where_the_user_states_it() -> None:
    named = [ProgramTarget(name=name, translation_units=(f"{name}.cu",)) for name in "ab"]
    main = b"int main() { return 0; }"
    programs = with_stated_runs(with_plain_runs(named, {"a.cu": main, "b.cu": main}), [("./a",)])
    assert [program.unasked for program in programs] == [False, True]
