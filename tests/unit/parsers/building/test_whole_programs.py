"""Programs are linked with the right files where nobody says with which."""

from __future__ import annotations

from transpile.parsers.building.whole_programs import whole_programs

MAIN = b"int main() { return run(); }\n"


def linked(files: dict[str, bytes]) -> dict[str, tuple[str, ...]]:
    """Return the other files of each program by its name."""
    return {item.name: item.translation_units[1:] for item in whole_programs(files, list(files))}


def test_programs_of_folders_have_the_files_beside_them() -> None:
    assert linked(
        {
            "day 1/a.cu": MAIN,
            "day 1/part.cu": b"void part() {}\n",
            "day 2/b.cu": MAIN,
            "day 2/deeper/more.cu": b"int other() { return 1; }\n",
        }
    ) == {"a": ("day 1/part.cu",), "b": ("day 2/deeper/more.cu",)}


def test_files_of_a_library_belong_to_who_names_their_functions() -> None:
    files = {
        "examples/a.cpp": MAIN,
        "examples/b.cpp": b"int main() { return 0; }\n",
        "src/run.cpp": b"int run()\n{\n    return step(2) + 1;\n}\n",
        "src/step.cpp": b"int step(int (*f)(int), int n) noexcept { return f(n); }\n",
        "src/idle.cpp": b"void idle() { if (true) { } }\n",
    }
    assert linked(files) == {"a": ("src/run.cpp", "src/step.cpp"), "b": ()}


def test_the_only_program_has_all_files() -> None:
    [found] = whole_programs({"main.cu": MAIN, "x/other.cu": b"void f() {}\n"}, ["main.cu", "x/other.cu"])
    assert found.translation_units == ("main.cu", "x/other.cu")


def test_programs_of_the_same_name_are_told_apart_by_their_folders() -> None:
    assert set(linked({"a b/main.cu": MAIN, "b/main.cu": MAIN, "b/c.cu": MAIN})) == {
        "a_b_main",
        "b_main",
        "c",
    }
