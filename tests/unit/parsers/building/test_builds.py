"""Builds as compile_commands.json, make and CMake describe them."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from transpile.core import ProgramTarget, TranslationUnit
from transpile.parsers.building import builds, cmakes
from transpile.parsers.building.outside import located
from transpile.parsers.reading import read

FILES = {"main.cu": b"int main() {}", "util.cu": b'#include "part.cu"\n', "part.cu": b"", "h.cuh": b""}


def test_without_a_description_all_that_is_not_included_makes_one_program(tmp_path: Path) -> None:
    build = builds.describe(tmp_path, FILES, ["-DX"])
    assert build.translation_units == (
        TranslationUnit(path="main.cu", flags=("-DX",)),
        TranslationUnit(path="util.cu", flags=("-DX",)),
    )
    assert build.programs == (
        ProgramTarget(name="main", translation_units=("main.cu", "util.cu"), guessed=True),
    )


def test_a_source_that_others_include_from_another_folder_is_none_of_its_own(tmp_path: Path) -> None:
    files = {
        "main/first.cu": b'#include "kernels.h"\nint main() {}',
        "main/second.cu": b'#include "kernels.h"\nint main() {}',
        "kernels/kernels.h": b'#include "kernels.cu"\n',
        "kernels/kernels.cu": b"void f() {}",
    }
    build = builds.describe(tmp_path, files, ())
    assert [unit.path for unit in build.translation_units] == ["main/first.cu", "main/second.cu"]
    assert all(unit.flags == ("-Ikernels",) for unit in build.translation_units)
    assert [program.translation_units for program in build.programs] == [
        ("main/first.cu",),
        ("main/second.cu",),
    ]


def test_what_has_no_beginning_is_no_program(tmp_path: Path) -> None:
    build = builds.describe(tmp_path, FILES | {"main.cu": b"void domain(int);"}, ())
    assert len(build.translation_units) == 2 and build.programs == ()
    entries = [{"directory": str(tmp_path), "file": "util.cu", "command": "nvcc -c util.cu"}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    assert builds.describe(tmp_path, {"util.cu": b""}, ()).programs == ()
    assert len(builds.describe(tmp_path, {"util.cu": b"int main(void) {}"}, ()).programs) == 1


def test_a_beginning_that_this_build_does_not_compile_makes_no_program(tmp_path: Path) -> None:
    entries = [{"directory": str(tmp_path), "file": "util.cu", "command": "nvcc -c util.cu"}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    files = {"util.cu": b"void f() {}", "test.cpp": b"int main() {}"}
    assert builds.describe(tmp_path, files, ()).programs == ()
    included = {**files, "util.cu": b'#include "test.cpp"'}
    assert len(builds.describe(tmp_path, included, ()).programs) == 1
    header = {**files, "test.h": b"int main() {}"}
    assert len(builds.describe(tmp_path, header, ()).programs) == 1


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_is_asked_without_running_anything(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "prog: main.o util.o\n\tnvcc main.o util.o -o prog -lm\n"
        "%.o: %.cu\n\tnvcc -Iinc -DN=2 -arch=sm_60 -c $< -o $@\n\ttouch made\n"
        "run: prog\n\t./prog 100 2\n"
    )
    for path, data in FILES.items():
        (tmp_path / path).write_bytes(data)
    build = builds.describe(tmp_path, FILES, ())
    assert {unit.path: unit.flags for unit in build.translation_units} == {
        "main.cu": ("-Iinc", "-DN=2"),
        "util.cu": ("-Iinc", "-DN=2"),
    }
    (program,) = build.programs
    assert program == ProgramTarget(
        name="prog",
        translation_units=("main.cu", "util.cu"),
        link_flags=("-lm",),
        runs=(("./prog", "100", "2"),),
    )
    assert not (tmp_path / "made").exists()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("rules", "runs"),
    [
        ("test:\n\t./prog -n 64 -o out\n\tcmp out expected\n", [("./prog", "-n", "64", "-o", "out")]),
        ("run:\n\t./prog 8\ncheck: prog\n\ttime ./prog 9\n", [("./prog", "8"), ("./prog", "9")]),
        ("test: prog\n\tcp prog tested\n\t./tested\n", []),
        ("time: prog\n\t./prog 1000000\n", []),
    ],
)
def test_tests_of_makefiles_are_runs(tmp_path: Path, rules: str, runs: list[tuple[str, ...]]) -> None:
    (tmp_path / "Makefile").write_text(f"prog: main.cu\n\tnvcc main.cu -o prog\n{rules}")
    files = {"main.cu": b"int main() {}"}
    (tmp_path / "main.cu").write_bytes(files["main.cu"])
    [program] = builds.describe(tmp_path, files, ()).programs
    assert runs == ([] if program.unasked else [*program.runs])


def test_make_is_asked_for_targets_that_compile_what_the_default_one_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "host: host.c\n\tgcc -o host host.c\n"
        "test: device\n\tnvcc -o test test.cu\n\t./test\n"
        "fresh: clean\n\tnvcc -o device device.cu\n"
        "device: device.cu\n\tnvcc -DN=2 -o device device.cu\n"
        "again: device.cu\n\tnvcc -o again device.cu\n"
        "clean:\n\trm -f device\n"
    )
    files = {"host.c": b"int main(void) {}", "device.cu": b"int main() {}", "test.cu": b"int main() {}"}
    for path, data in files.items():
        (tmp_path / path).write_bytes(data)
    build = builds.describe(tmp_path, files, ())
    assert build.goals == {"": ("device",)}
    assert [program.name for program in build.programs] == ["host", "device"]
    assert build.translation_units[1] == TranslationUnit(path="device.cu", flags=("-DN=2",))
    assert builds.describe(tmp_path, {"host.c": files["host.c"]}, ()).goals == {}


def test_a_compilation_database_comes_first(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("all:\n\tfalse\n")
    entries = [
        {
            "directory": str(tmp_path / "build"),
            "command": f"nvcc -I{tmp_path}/inc -DA -c ../main.cu -o main.o",
            "file": "x",
        },
        {"directory": str(tmp_path), "arguments": ["nvcc", "-c", "util.cu"], "file": "util.cu"},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    build = builds.describe(tmp_path, FILES, ())
    assert {unit.path: unit.flags for unit in build.translation_units} == {
        "main.cu": ("-Iinc", "-DA"),
        "util.cu": (),
    }


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    "rules",
    [
        "prog: main.o libutil.a\n\tg++ main.o libutil.a -o prog\nlibutil.a: util.o\n\tar rcs $@ $^\n",
        "prog: main.o libutil.a\n\tg++ main.o -L. -lutil -o prog\nlibutil.a: util.o\n\tgcc-ar -cr $@ $^\n",
        "prog: main.o libutil.so\n\tg++ main.o -L. -lutil -o prog\n"
        "libutil.so: util.cu\n\tnvcc --shared -Xcompiler -fPIC util.cu -o $@\n",
    ],
    ids=["archive", "archive by name", "shared library"],
)
def test_libraries_of_a_build_belong_to_its_programs(tmp_path: Path, rules: str) -> None:
    (tmp_path / "Makefile").write_text(f"{rules}%.o: %.cu\n\tnvcc -c $< -o $@\n")
    for path, data in FILES.items():
        (tmp_path / path).write_bytes(data)
    [program] = builds.describe(tmp_path, FILES, ()).programs
    assert set(program.translation_units) == {"main.cu", "util.cu"} and "-lutil" not in program.link_flags


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("call", ["$(MAKE) -C inner", "make -C inner N=3", "cd inner && make"])
def test_makes_that_make_calls_are_asked_as_well(tmp_path: Path, call: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "Makefile").write_text(f"all:\n\t{call}\n\tnvcc main.cu inner/util.o -o prog\n")
    (tmp_path / "inner" / "Makefile").write_text("N = 2\nutil.o: util.cu\n\tnvcc -DN=$(N) -c util.cu\n")
    files = {"main.cu": FILES["main.cu"], "inner/util.cu": FILES["util.cu"]}
    for path, data in files.items():
        (tmp_path / path).write_bytes(data)
    build = builds.describe(tmp_path, files, ())
    assert [program.translation_units for program in build.programs] == [("main.cu", "inner/util.cu")]
    number = "3" if "N=3" in call else "2"
    assert [unit.flags for unit in build.translation_units if "util" in unit.path] == [(f"-DN={number}",)]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_makes_that_make_calls_see_the_checkout(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root = tmp_path / "app"
    (root / "inner").mkdir(parents=True)
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "sizes.h").write_text("int size;\n")
    (root / "Makefile").write_text("all:\n\t$(MAKE) -C inner\n")
    (root / "inner" / "main.cu").write_bytes(FILES["main.cu"])
    rule = "prog: main.cu ../../common/sizes.h\n\tnvcc -DN=2 main.cu -o prog\n"
    (root / "inner" / "Makefile").write_text(rule)
    build = builds.describe(root, {"inner/main.cu": FILES["main.cu"]}, ())
    assert build.translation_units == (TranslationUnit(path="inner/main.cu", flags=("-DN=2",)),)
    assert build.diagnostics == ()


def test_an_installed_toolkit_is_never_before_the_emulator(tmp_path: Path) -> None:
    toolkit, root = tmp_path / "cuda-12.4" / "include", tmp_path / "app"
    toolkit.mkdir(parents=True)
    root.mkdir()
    (toolkit / "cuda_runtime.h").touch()
    words = [f"-I{toolkit}", "-I../cuda-12.4/include", "-I../cuda/other", "-DA"]
    assert located(words, root, [tmp_path]).flags == (f"-I{tmp_path}/cuda/other", "-DA")


needs_cmake = pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")


@needs_cmake
def test_cmake_is_asked_where_a_toolkit_is_missing(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n"
        "find_package(CUDAToolkit REQUIRED)\n"
        "file(GLOB UTILS ${CMAKE_SOURCE_DIR}/u*.cu)\nadd_library(util STATIC ${UTILS})\n"
        "target_include_directories(util PUBLIC ${PROJECT_SOURCE_DIR}/inc)\n"
        "target_compile_definitions(util PRIVATE N=2)\nset(NAME prog)\nadd_executable(${NAME} main.cu)\n"
        "target_link_libraries(${NAME} PRIVATE util CUDA::cudart m)\nenable_testing()\n"
        "add_test(NAME small COMMAND prog 64 2)\n"
    )
    for path, data in FILES.items():
        (tmp_path / path).write_bytes(data)
    build = builds.describe(tmp_path, FILES, ())
    assert {unit.path: unit.flags for unit in build.translation_units} == {
        "main.cu": ("-Iinc",),
        "util.cu": ("-DN=2", "-Iinc"),
    }
    assert build.programs == (
        ProgramTarget(
            name="prog",
            translation_units=("main.cu", "util.cu"),
            link_flags=("-lm",),
            runs=(("./prog", "64", "2"),),
        ),
    )


@needs_cmake
@pytest.mark.parametrize("end", ["", "find_package(NobodyHasThis REQUIRED)\n"])
def test_headers_that_cmake_writes_are_of_the_source(tmp_path: Path, end: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(p VERSION 1.2 LANGUAGES CXX CUDA)\n"
        "configure_file(size.h.in ${PROJECT_SOURCE_DIR}/size.h)\n"
        "configure_file(kept.h.in ${PROJECT_SOURCE_DIR}/kept.h)\n"
        "configure_file(size.h.in unused.h)\nconfigure_file(size.h.in made/place.h)\n"
        "add_executable(prog main.cu)\n"
        "target_include_directories(prog PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/made)\n" + end
    )
    texts = {"size.h.in": "#define MAJOR @p_VERSION_MAJOR@\n", "kept.h.in": "new\n", "kept.h": "own\n"}
    kernel = '#include "size.h"\n#include <place.h>\n__global__ void k(int *a) { a[0] = MAJOR; }\n'
    for path, text in {**texts, "main.cu": kernel + "int main() { k<<<1, 1>>>(nullptr); }\n"}.items():
        (tmp_path / path).write_text(text)
    source = read(tmp_path)
    assert source.files["size.h"] == source.files["build/made/place.h"] == b"#define MAJOR 1\n"
    assert source.files["kept.h"] == b"own\n"
    assert end or source.translation_units[0].flags == ("-Ibuild/made",)
    assert "build/unused.h" not in source.files and not (tmp_path / "size.h").exists()


@needs_cmake
def test_cmake_in_a_folder_reads_what_lies_beside_it(tmp_path: Path) -> None:
    texts = {
        "app/CMakeLists.txt": "project(p LANGUAGES CXX CUDA)\ninclude_directories(../shared)\n"
        "configure_file(size.h.in size.h)\ninclude_directories(${CMAKE_BINARY_DIR})\n"
        "add_executable(prog main.cu ${CMAKE_SOURCE_DIR}/../shared/clock.cpp)\n",
        "app/size.h.in": "#define SIZE 1\n",
        "app/main.cu": '#include "clock.h"\n#include "size.h"\n__global__ void k(int *a) { a[0] = SIZE; }\n'
        "int main() { k<<<1, 1>>>(nullptr); }\n",
        "shared/clock.h": "void tick();\n",
        "shared/clock.cpp": '#include "clock.h"\nvoid tick() {}\n',
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    source = read(tmp_path)
    assert {unit.path: unit.flags for unit in source.translation_units} == {
        "app/main.cu": ("-Ishared", "-Iapp/build"),
        "shared/clock.cpp": ("-Ishared", "-Iapp/build"),
    }
    assert source.programs[0].translation_units == ("app/main.cu", "shared/clock.cpp")
    assert source.files["app/build/size.h"] == b"#define SIZE 1\n" and not source.diagnostics


LACKING = (
    "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\n{asked}\n"
    "add_executable(prog main.cu)\ntarget_compile_definitions(prog PRIVATE N=2)\n"
    "target_link_libraries(prog PRIVATE nobody::has::this m)\n"
)


@needs_cmake
@pytest.mark.parametrize(
    ("asked", "missing"),
    [
        ("find_package(NobodyHasThis REQUIRED)", "NobodyHasThis"),
        ("find_package(NobodyHasThis 3 REQUIRED one CONFIG)", "NobodyHasThis"),
        (
            'find_library(X nobody)\nif(NOT X)\nmessage(FATAL_ERROR "none")\nendif()\nlink_libraries(${X})',
            "",
        ),
        (
            "include(FetchContent)\nfetchcontent_declare(Theirs GIT_REPOSITORY https://localhost/theirs.git)\n"
            "FetchContent_MakeAvailable(Theirs)\nget_target_property(X theirs SOURCES)",
            "Theirs",
        ),
        (
            "include(FetchContent)\nFetchContent_Declare(theirs URL https://localhost/theirs.zip)\n"
            "FetchContent_GetProperties(theirs)\nif(NOT theirs_POPULATED)\nFetchContent_Populate(theirs)\n"
            "add_subdirectory(${theirs_SOURCE_DIR} ${theirs_BINARY_DIR})\nendif()",
            "theirs",
        ),
        ("set(CMAKE_C_COMPILER /not/here/cc CACHE FILEPATH x FORCE)\nenable_language(C)", ""),
        ("cmake_minimum_required(VERSION 99.1...99.3)", "CMake 99.1"),
    ],
)
def test_cmake_goes_on_without_what_a_machine_lacks(tmp_path: Path, asked: str, missing: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(LACKING.replace("{asked}", asked))
    (tmp_path / "main.cu").write_bytes(FILES["main.cu"])
    build = builds.describe(tmp_path, {"main.cu": FILES["main.cu"]}, ())
    assert build.translation_units[0].flags == ("-DN=2",)
    assert build.programs[0].link_flags == ("-lm",)
    assert [told.code for told in build.diagnostics] == ["TP134"] * bool(missing)
    assert not missing or build.diagnostics[0].message.endswith(f": {missing}")


@needs_cmake
def test_what_is_fetched_from_the_source_itself_is_read(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor/CMakeLists.txt").write_text(
        "add_compile_definitions(OWN)\nadd_library(own ../main.cu)\n"
    )
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(p LANGUAGES CXX CUDA)\ninclude(FetchContent)\n"
        "FetchContent_Declare(vendor SOURCE_DIR ${CMAKE_SOURCE_DIR}/vendor)\n"
        "FetchContent_MakeAvailable(vendor)\n"
    )
    (tmp_path / "main.cu").write_bytes(FILES["main.cu"])
    answer = cmakes.ask(tmp_path, ())
    assert answer.missing == () and not answer.complaint and "-DOWN" in answer.commands[0]


@needs_cmake
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("\nproject(p C)\nnobody()\n", "CMakeLists.txt:3 (nobody)"),
        ("set(CMAKE_GENERATOR_PLATFORM x64)\nproject(p CXX)\n", "CMakeLists.txt:2 (project)"),
    ],
)
def test_what_stops_cmake_is_told_where_the_project_says_it(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(text)
    assert cmakes.ask(tmp_path, ()).complaint.startswith(f"{place}: ")


@needs_cmake
@pytest.mark.parametrize("ending", ["", ')]==] "', "$ENV{HOME}", "a;b"])
def test_what_stops_cmake_is_told_wherever_the_source_lies(tmp_path: Path, ending: str) -> None:
    root = tmp_path / f"here {ending}"
    root.mkdir()
    (root / "CMakeLists.txt").write_text(
        'project(p C)\nmessage(FATAL_ERROR "not here")\nadd_executable(p main.cu)\n'
    )
    assert cmakes.ask(root, ()).commands == ()
    assert cmakes.ask(root, ()).complaint


@needs_cmake
def test_cmake_reaches_nothing_outside(tmp_path: Path) -> None:
    root, secret = tmp_path / "root", tmp_path / "secret"
    root.mkdir()
    secret.write_text("secret")
    (root / "CMakeLists.txt").write_text(
        f"project(p C)\nfile(WRITE {tmp_path}/written x)\nfile(WRITE {root}/written x)\n"
    )
    cmakes.ask(root, ())
    (root / "CMakeLists.txt").write_text(
        f"project(p C)\nfile(READ {secret} text)\nmessage(FATAL_ERROR ${{text}})\n"
    )
    assert "secret secret" not in cmakes.ask(root, ()).complaint
    assert not (tmp_path / "written").exists() and not (root / "written").exists()


def test_a_guessed_project_has_sources_of_folders_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cmakes, "ask", lambda *_: cmakes.Answer(complaint="MPI is missing"))
    texts = {
        "src/CMakeLists.txt": "find_package(MPI REQUIRED)\n",
        "src/main.cu": '#include "grid.cuh"\nint main() { fill(nullptr); }\n',
        "src/show.cu": '#include "grid.cuh"\nint main() { return width(); }\n',
        "include/grid.cuh": "void fill(float *x); int width();\n",
        "lib/fill.cu": '#include "grid.cuh"\nvoid fill(float *x) { x[0] = width(); }\n',
        "lib/width.cu": '#include "grid.cuh"\nint width() { return 3; }\n',
        "lib/unused.cu": "void unused() {}\n",
        "tool/Makefile": "tool: tool.cpp\n\tg++ -o tool tool.cpp\n",
        "tool/tool.cpp": "int width() { return 4; }\nint main() { return width(); }\n",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    files = {path: text.encode() for path, text in texts.items() if not path.endswith(("txt", "file"))}
    build = builds.describe(tmp_path, files, ())
    assert {program.name: program.translation_units for program in build.programs} == {
        "src/main": ("src/main.cu", "lib/fill.cu", "lib/width.cu"),
        "src/show": ("src/show.cu", "lib/width.cu"),
        "tool/tool": ("tool/tool.cpp",),
    }
    assert {unit.path: unit.flags for unit in build.translation_units}["src/main.cu"] == ("-Iinclude",)
    assert "lib/unused.cu" in {unit.path for unit in build.translation_units}


def test_cmake_lists_of_the_plain_kind_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cmakes.shutil, "which", lambda _: None)
    (tmp_path / "CMakeLists.txt").write_text(
        "project(p LANGUAGES CXX CUDA)\nset(CMAKE_CUDA_STANDARD 14) # a comment (here\n"
        "include_directories(${CMAKE_CURRENT_SOURCE_DIR}/inc)\nadd_definitions(-DN=1)\n"
        "add_executable(one main.cu)\nadd_executable(two ${CMAKE_SOURCE_DIR}/util.cu h.cuh)\n"
        "target_link_libraries(two PRIVATE m cudart)\n"
    )
    build = builds.describe(tmp_path, FILES, ())
    assert {program.name: program.translation_units for program in build.programs} == {
        "one": ("main.cu",),
        "two": ("util.cu",),
    }
    assert build.translation_units[0].flags == ("-Iinc", "-DN=1", "-std=c++14")


def test_cmake_lists_that_name_sources_by_variables_are_guessed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cmakes.shutil, "which", lambda _: None)
    (tmp_path / "CMakeLists.txt").write_text(
        "set(SOURCES main.cu util.cu)\nadd_executable(${NAME} ${SOURCES})\n"
        "target_include_directories(${NAME} PUBLIC inc ${CMAKE_BINARY_DIR}/made)\n"
        "target_compile_definitions(${NAME} PUBLIC N=1 ${MORE})\n"
    )
    build = builds.describe(tmp_path, FILES, ())
    assert {unit.flags for unit in build.translation_units} == {("-Iinc", "-DN=1")}
    assert [(item.code, item.path) for item in build.diagnostics] == [("TP130", "CMakeLists.txt")]


def sibling(tmp_path: Path, makefile: str) -> Path:
    """Return a root with this Makefile, beside which lie headers and a Makefile to include."""
    root = tmp_path / "app"
    for name in ("app", "include", "make"):
        (tmp_path / name).mkdir()
    (tmp_path / "include" / "sizes.h").write_text("#define COUNT 32\n")
    (tmp_path / "make" / "common.mk").write_text("FLAGS = -DCOMMON\nTOP = ..\n")
    for path, data in FILES.items():
        (root / path).write_bytes(data)
    (root / "Makefile").write_text(makefile)
    return root


RULES = "include ../make/common.mk\nprog: main.o\n\tnvcc main.o -o prog\n"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_directories_beside_the_root_are_named_absolutely(tmp_path: Path) -> None:
    root = sibling(
        tmp_path,
        RULES + "%.o: %.cu $(TOP)/include/sizes.h\n\tnvcc $(FLAGS) -I../include -I../app/inc -c $< -o $@\n",
    )
    build = builds.describe(root, FILES, (), [tmp_path])
    assert build.translation_units == (
        TranslationUnit(path="main.cu", flags=("-DCOMMON", f"-I{tmp_path}/include", "-Iinc")),
    )
    assert build.programs[0].name == "prog"
    assert build.diagnostics == ()


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_a_missing_directory_beside_the_root_is_told_and_the_flags_are_kept(tmp_path: Path) -> None:
    root = sibling(tmp_path, RULES + "%.o: %.cu ../gone/x.h\n\tnvcc $(FLAGS) -I../gone -c $< -o $@\n")
    build = builds.describe(root, FILES, (), [tmp_path])
    assert build.translation_units[0].flags == ("-DCOMMON", f"-I{tmp_path}/gone")
    (found,) = build.diagnostics
    assert (found.code, found.path) == ("TP102", "Makefile")
    assert found.message == "the include directory `../gone` does not exist"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_what_stops_make_is_told(tmp_path: Path) -> None:
    root = sibling(tmp_path, RULES + "%.o: %.cu generated.h\n\tnvcc -DN=2 -c $< -o $@\n")
    build = builds.describe(root, FILES, (), [tmp_path])
    assert [unit.path for unit in build.translation_units] == ["main.cu", "util.cu"]
    (found,) = build.diagnostics
    assert found.code == "TP130"
    assert "No rule to make target 'main.o'" in found.message


def test_a_toolkit_that_is_not_installed_is_not_missed(tmp_path: Path) -> None:
    words = "nvcc -I/usr/local/cuda-12.4/include -isystem /nowhere/at/all -include ../pre.h -c main.cu"
    entries = [{"directory": str(tmp_path), "command": words, "file": "main.cu"}]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    build = builds.describe(tmp_path, FILES, ())
    assert build.translation_units[0].flags == ("-I/usr/local/cuda-12.4/include",)
    assert {(found.code, found.path) for found in build.diagnostics} == {("TP102", "compile_commands.json")}
    assert [found.message.partition(" does")[0] for found in build.diagnostics] == [
        f"the include directory `{os.path.relpath('/nowhere/at/all', tmp_path)}`",
        "the header `../pre.h`",
    ]


def test_a_database_behind_a_link_is_told_of_and_read_where_it_may_be(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "app", tmp_path / "scratch"
    root.mkdir()
    elsewhere.mkdir()
    command = {"directory": str(root), "file": "main.cu", "arguments": ["nvcc", "-DFAST", "-c", "main.cu"]}
    (elsewhere / "compile_commands.json").write_text(json.dumps([command]))
    (root / "build").symlink_to(elsewhere)
    build = builds.describe(root, FILES, ())
    (told,) = build.diagnostics
    assert (told.code, told.path) == ("TP131", "build/compile_commands.json")
    assert f"--allow-read {elsewhere}" in told.hint
    assert not any(unit.flags for unit in build.translation_units)
    build = builds.describe(root, FILES, (), [elsewhere])
    assert not build.diagnostics
    assert build.translation_units == (TranslationUnit(path="main.cu", flags=("-DFAST",)),)
