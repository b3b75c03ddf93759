"""A Makefile that builds with nvcc becomes one that builds the port with another compiler."""

from __future__ import annotations

import posixpath
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from transpile.assemble.make_flags import Makefile, is_compiler, with_flags
from transpile.assemble.names import mentioned
from transpile.parsers.building import commands
from transpile.parsers.building.flags import FOR_LINKER
from transpile.parsers.text.hosts import is_c

_BEFORE = r"(?:[\w./\-]|\$\([^()\s]*\)|\$\{[^{}\s]*\})*"
_NVCC = re.compile(rf"{_BEFORE}\bnvcc(?:\.exe)?\b(?!\w)")
_NVCC_OR_HIPCC = re.compile(rf"{_BEFORE}\b(?:nvcc|hipcc)(?:\.exe)?\b(?!\w)")
_WITH_VALUE = (
    "-arch",
    "--gpu-architecture",
    "-code",
    "--gpu-code",
    "-gencode",
    "--generate-code",
    "-ccbin",
    "--compiler-bindir",
    "-Xptxas",
    "--ptxas-options",
    "-Xnvlink",
    "--nvlink-options",
    "-maxrregcount",
    "--maxrregcount",
    "-cudart",
    "--cudart",
    "-odir",
    "--output-directory",
    "-Xcudafe",
    "-diag-suppress",
    "-default-stream",
    "-ftz",
    "-prec-div",
    "-prec-sqrt",
    "-fmad",
)
_ALONE = (
    "-link",
    "--link",
    "-lineinfo",
    "--generate-line-info",
    "-G",
    "--device-debug",
    "-dlink",
    "--device-link",
    "-rdc=true",
    "-rdc=false",
    "-use_fast_math",
    "--use_fast_math",
    "--expt-relaxed-constexpr",
    "--expt-extended-lambda",
    "-Wno-deprecated-gpu-targets",
    "--extended-lambda",
    "-extended-lambda",
    "--relocatable-device-code=true",
    "--relocatable-device-code=false",
    "-lcudart",
    "-lcudart_static",
    "-lcuda",
    "-lcudadevrt",
    "-lcublas",
    "-lcublas_static",
    "-lcurand",
    "-lcufft",
    "-lcusparse",
    "-lnvToolsExt",
    "-lnvtx3",
    "-res-usage",
    "--resource-usage",
    "-keep",
    "--keep",
)
_HIP_WITH_VALUE = (
    "--offload-arch",
    "--amdgpu-target",
    "--rocm-path",
    "--hip-path",
    "--rocm-device-lib-path",
    "--hip-device-lib-path",
)
_HIP_ALONE = (
    "-x hip",
    "--hip-link",
    "-fgpu-rdc",
    "-lamdhip64",
    "-lhipblas",
    "-lhiprand",
    "-lhipfft",
    "-lhipsparse",
)
_WORD = r"(?:\$\((?:[^()]|\([^()]*\))*\)|\$\{[^{}]*\}|[^\s\\\"(){}])+"
"""A word of a command; a bracket that it does not open ends a function of make's around it."""
_PASSED_ON = re.compile(
    rf"(-Xcompiler|--compiler-options|{'|'.join(FOR_LINKER)})(?:[=\s]+)(\"[^\"]*\"|'[^']*'|{_WORD})"
)


def _directories(variables: str, folders: str) -> re.Pattern[str]:
    """Return what finds options for directories of a toolkit, not of a source that has "cuda" in a name."""
    return re.compile(
        rf"(?<=\s)(?:-[IL]|-Wl,-?-rpath(?:-link)?[=,])(?:(?:{_WORD})?\$[({{]\w*(?:{variables})\w*[)}}](?:{_WORD})?"
        rf"|/(?:[^\s)]*/)?(?:{folders})(?:-[\d.]+)?(?:/[^\s)]*)?(?=[\s)]|$))"
    )


_OF_CUDA = _directories("cuda|CUDA", "cuda")
_OF_CUDA_OR_ROCM = _directories("cuda|CUDA|hip|HIP|rocm|ROCM", "cuda|rocm")
_ASSIGNMENT = re.compile(r"^(\s*(?:export\s+|override\s+)?)([\w.\-]+)(\s*[:?+]?=)(.*)$")
_DEVICE_LINK = re.compile(r"(\t[@-]*\S+).*\s(?:-dlink|--device-link)(?=\s|$)")
_LANGUAGE = re.compile(r"(?<=\s)(?:-x|--x)[=\s]*cu(?:da)?\b")
_CALL = re.compile(r"\$\(shell\s(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\$\{shell\s[^{}]*\}|`[^`]*`")
_RECIPE = re.compile(r"(?:^\t[@+-]*|&&|\|\|?|;)\s*([a-z]\w*)\s[^&|;]*")
"""Commands of a rule, those first words that are no variables of make's."""
_COMPILING = frozenset(
    (
        "make",
        "cmake",
        "gmake",
        "libtool",
        "ld",
        "time",
        "env",
        "nice",
        "exec",
        "ccache",
        "if",
        "for",
        "then",
        "do",
    )
)
"""First words of commands that are given options for a compiler."""
_RULE = re.compile(r"^(?P<target>[^\s:#=]+)[ \t]*:(?![:=])[^\n]*\n(?:\t[^\n]*(?:\n|$))+", re.MULTILINE)
_SPARED = "\0{}\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """What takes the place of nvcc in a Makefile."""

    command: str
    variable: str
    """What a Makefile calls it."""
    suffixes: Mapping[str, str]
    """Of the port's files, by nvcc's."""
    flags: tuple[str, ...] = ()
    """That every compilation needs."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Its own options, by nvcc's; what is neither here nor of the host's compiler is dropped."""
    libraries: str = ""
    """The directory of its libraries, which other compilers link with, in place of the toolkit's."""
    oldest: str = ""
    """The first standard of C++ that it is to be asked for."""
    replaced: re.Pattern[str] = _NVCC
    """Calls of the compilers whose place it takes."""
    with_value: tuple[str, ...] = _WITH_VALUE
    """Options of theirs that are dropped together with the word behind them."""
    alone: tuple[str, ...] = _ALONE
    directories: re.Pattern[str] = _OF_CUDA
    """Options for directories of their toolkits."""


GXX = Driver(
    command="g++",
    variable="CXX",
    suffixes={".cu": ".cpp", ".cuh": ".hpp"},
    flags=("-fopenmp",),
    options={"-dc": "-c", "--device-c": "-c", "--compile": "-c"},
    oldest="17",
    replaced=_NVCC_OR_HIPCC,
    with_value=(*_WITH_VALUE, *_HIP_WITH_VALUE),
    alone=(*_ALONE, *_HIP_ALONE),
    directories=_OF_CUDA_OR_ROCM,
)
HIPCC = Driver(
    command="hipcc",
    variable="HIPCC",
    suffixes={".cu": ".hip"},
    options={
        "-dc": "-fgpu-rdc -c",
        "--device-c": "-fgpu-rdc -c",
        "--compile": "-c",
        "-rdc=true": "-fgpu-rdc",
        "--relocatable-device-code=true": "-fgpu-rdc",
        "-lcudart": "-lamdhip64",
        "-lcudart_static": "-lamdhip64",
        "-lcublas": "-lhipblas",
        "-lcublas_static": "-lhipblas",
        "-lcufft": "-lhipfft",
        "-lcurand": "-lhiprand",
        "-lcusparse": "-lhipsparse",
        "-lcusolver": "-lhipsolver",
        "-lcudnn": "-lMIOpen",
        "-lnccl": "-lrccl",
        "-lnvToolsExt": "-lroctx64",
    },
    libraries="-L/opt/rocm/lib",
)

_SEPARATE = "-fgpu-rdc"
"""hipcc has to be told when it links, too."""
_C_FILE = re.compile(r"[\w)}%*]\.c(?=[\s)]|$)")
_NO_PROGRAM = frozenset((*commands.COMPILES, *commands.LIBRARIES, "--version", "-V"))
_STANDARD = re.compile(r"(?<=[\s=])(-std|--std)[=\s](c\+\+|gnu\+\+)(98|03|0x|11|1y|14)\b")


def translated(text: str, names: Mapping[str, str], driver: Driver = GXX) -> str:
    """Return a Makefile whose commands another compiler takes, without the flags that the port needs."""
    known = Makefile(text, compiler="nvcc")
    if driver is GXX and any(map(_C_FILE.search, known.given())):
        # g++ takes for C++ what nvcc takes for C.
        driver = replace(GXX, command="gcc")
        text = known.with_commands(lambda command, _: _linking_cpp(command, known.meant(command)))
    lines = [ported_line(line, names, driver) for line in text.splitlines(keepends=True)]
    return _without_dead_variables(_without_makers("".join(lines), names), text)


def _linking_cpp(command: str, meant: str) -> str:
    """Return a command, which means another, with the libraries of C++ where it makes a program."""
    if not _NO_PROGRAM.isdisjoint(meant.split()):
        return command
    bare = command.rstrip()
    return f"{bare} -lstdc++ -lm{command[len(bare) :]}"


def _without_makers(text: str, names: Mapping[str, str]) -> str:
    """Return a text without rules that make files of the port, over which they would write their source."""
    ported = {posixpath.basename(new) for old, new in names.items() if new != old}
    return _RULE.sub(lambda rule: "" if posixpath.basename(rule["target"]) in ported else rule[0], text)


def flagged(
    text: str,
    *,
    include: Sequence[str],
    more: Sequence[str] = (),
    driver: Driver = GXX,
    others: Sequence[tuple[str, str]] = (),
    languages: Sequence[str] = ("C", "CXX"),
) -> str:
    """Return a translated Makefile with the flags that the port needs.

    Args:
        text: The Makefile.
        include: Directories that the ported files need.
        more: Flags that they need besides.
        driver: What compiles them.
        others: Name and text of the other Makefiles, translated.
        languages: Those of the port, as make's own rules know them.
    """
    if _SEPARATE in text:
        text = with_flags(text, _SEPARATE, others, languages, driver.command)
    rest = [*(f"-I{directory}" for directory in include), *more]
    had = [flag for flag in driver.flags if re.search(rf"(?<=\s){re.escape(flag)}\b", text)]
    at_once = [[*driver.flags, *rest]] if not had else [[*driver.flags], rest]
    for flags in at_once:
        text = with_flags(text, " ".join(flags), others, languages) if flags else text
    return text


def object_of(path: str) -> str:
    """Return the object file of a source file, whose name is one word to make."""
    stem = posixpath.splitext(path)[0]
    return ("_".join(re.split(r"[\s/]+", stem)) if _has_blanks(stem) else stem) + ".o"


def _has_blanks(path: str) -> bool:
    return re.search(r"\s", path) is not None


def rules_of_blanks(files: Iterable[str], compiler: Callable[[str], str]) -> str:
    """Return a rule for each file with blanks in its path, which no pattern rule finds.

    Args:
        files: Paths.
        compiler: Returns the command that compiles a file, with its flags.
    """
    return "".join(
        f"{object_of(path)}: {_escaped(path)}\n\t{compiler(path)} -c {quoted(path)} -o $@\n\n"
        for path in files
        if _has_blanks(path)
    )


def _escaped(path: str) -> str:
    """Return a path as make reads it in a rule."""
    return re.sub(r"\s", r"\\\g<0>", path)


def by_language(path: str) -> str:
    """Return the command that make's own rules compile C or C++ by."""
    return "$(CC) $(CFLAGS)" if is_c(path) else "$(CXX) $(CXXFLAGS)"


def generated(
    program: str | None,
    files: Sequence[str],
    *,
    include: Sequence[str],
    more: Sequence[str] = (),
    libraries: Sequence[str] = (),
    arguments: str = "",
    driver: Driver = GXX,
) -> str:
    """Return a small Makefile for a source that has none; without a program its objects are what is made."""
    flags, linked = _flags(driver, more, include), _linked(libraries)
    objects = " ".join(map(object_of, files))
    name = driver.variable
    compiled = _compiled(files, name)
    if program is None:
        named, made, rules, phony = "", "$(objects)", "", "all clean"
    else:
        named, made, phony = f"program = {program}\n", "$(program)", "all run clean"
        rules = f"""
$(program): $(objects)
\t$({name}) $({name}FLAGS) -o $@ $(objects){linked}

run: $(program)
\t./$(program){" " + arguments if arguments else ""}
"""
    gone = "$(objects)" if program is None else "$(program) $(objects)"
    return f"""{name:{len(name) + 5}} = {driver.command}
{name}FLAGS = {flags}

{named}objects = {objects}

all: {made}
{rules}
{compiled}clean:
\trm -f {gone}

.PHONY: {phony}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """One of several programs that a generated Makefile makes."""

    name: str
    """With its folder, where another program has that name."""
    files: tuple[str, ...]
    libraries: tuple[str, ...] = ()


def generated_for(
    programs: Sequence[Program], *, include: Sequence[str], more: Sequence[str] = (), driver: Driver = GXX
) -> str:
    """Return a small Makefile for a source of several programs that has none."""
    name = driver.variable
    files = list(dict.fromkeys(path for program in programs for path in program.files))
    rules = "".join(
        f"{program.name}: {' '.join(map(object_of, program.files))}\n"
        f"\t$({name}) $({name}FLAGS) -o $@ $^{_linked(program.libraries)}\n\n"
        for program in programs
    )
    return f"""{name:{len(name) + 5}} = {driver.command}
{name}FLAGS = {_flags(driver, more, include)}

programs = {" ".join(program.name for program in programs)}

all: $(programs)

{rules}{_compiled(files, name, c=f"$(CC) $(filter-out -std=c++17,$({name}FLAGS))")}clean:
\trm -f $(programs) {" ".join(map(object_of, files))}

.PHONY: all clean
"""


def _flags(driver: Driver, more: Sequence[str], include: Sequence[str]) -> str:
    directories = [f"-I{directory}" for directory in include]
    return " ".join(["-O2 -std=c++17", *driver.flags, "-Wall", *map(quoted, more), *directories])


def _linked(libraries: Sequence[str]) -> str:
    return "".join(f" {library}" for library in libraries if library != "-fopenmp")


def _compiled(files: Sequence[str], name: str, c: str = "") -> str:
    """Return the rules by which files become objects.

    Args:
        files: All of them.
        name: Of the variable that holds the compiler.
        c: The compiler of C with its flags, where files of C have one of their own.
    """

    def compiler(path: str) -> str:
        return c if c and path.endswith(".c") else f"$({name}) $({name}FLAGS)"

    return rules_of_blanks(files, compiler) + "".join(
        f"%.o: %{suffix}\n\t{compiler(suffix)} -c $< -o $@\n\n"
        for suffix in sorted({posixpath.splitext(path)[1] for path in files})
    )


def quoted(flag: str) -> str:
    """Return a flag as both make and the shell read it."""
    return shlex.quote(flag).replace("$", "$$").replace("#", "\\#")


def ported_line(line: str, names: Mapping[str, str], driver: Driver) -> str:
    """Return one line of a Makefile as another compiler has it."""
    if line.lstrip().startswith("#") and "nvcc" not in line:
        return line
    body = line.rstrip("\r\n")
    ending = line[len(body) :]
    body = _without_device_link(body)
    body, spared = _without_other_commands(body, driver)
    body = with_options(driver.replaced.sub(driver.command, body), driver)
    body = driver.directories.sub(lambda found: driver.libraries if found[0].startswith("-L") else "", body)
    if driver.oldest:
        body = _STANDARD.sub(rf"\1=\g<2>{driver.oldest}", body)
    for index, text in reversed([*enumerate(spared)]):
        body = body.replace(_SPARED.format(index), text)
    return _with_new_names(body, names, driver.suffixes) + ending


def _without_other_commands(body: str, driver: Driver) -> tuple[str, list[str]]:
    """Return a line with marks for commands of the shell that call no compiler, and their texts."""
    spared: list[str] = []

    def mark(found: re.Match[str]) -> str:
        first = found[1] if found.re is _RECIPE else ""
        if driver.replaced.search(found[0]) or first in _COMPILING or is_compiler(first):
            return found[0]
        spared.append(found[0])
        return _SPARED.format(len(spared) - 1)

    body = _CALL.sub(mark, body)
    return (_RECIPE.sub(mark, body) if body.startswith("\t") else body), spared


def _without_device_link(body: str) -> str:
    """Return a command that links code of the device as one that makes an empty object of that name."""
    found = _DEVICE_LINK.match(body)
    if found is None:
        return body
    output = re.search(r"(?<=\s)-o\s*(\S+)", body)
    return f"{found[1]} -x c++ -c /dev/null -o {output[1] if output else 'a_dlink.o'}"


def with_options(text: str, driver: Driver) -> str:
    """Return a text with the options of nvcc as another compiler has them, or without them."""
    text = _PASSED_ON.sub(_as_of_host, text)
    for option in driver.with_value:
        text = re.sub(
            rf"(?<=[\s=\"])-?{re.escape(option)}(?:=|[ \t]+)(?:\"[^\"]*\"|'[^']*'|{_WORD})[ \t]*", "", text
        )
    for option, own in driver.options.items():
        text = re.sub(rf"(?<=[\s=\"]){re.escape(option)}(?=[\s\")]|$)", own, text)
    for option in driver.alone:
        text = re.sub(rf"(?<=[\s=\",]){re.escape(option)}(?=[\s\"),]|$)[ \t]?", "", text)
    return _LANGUAGE.sub("", text)


def _as_of_host(option: re.Match[str]) -> str:
    """Return what nvcc passes on to the compiler of the host, or to the linker, as that compiler takes it."""
    passed = option[2].strip("\"'")
    if option[1] not in FOR_LINKER:
        return passed.replace(",", " ")
    # A comma of ours would end an argument of a function of make's around it.
    return f"-Wl,{passed}" if "," in passed else f"-Xlinker {option[2]}"


def _with_new_names(body: str, names: Mapping[str, str], suffixes: Mapping[str, str]) -> str:
    """Rename files, and the suffixes of pattern rules and substitutions."""
    body = mentioned(body, names)
    body = re.sub(r"(?<=[%*:/.(\s])\.cu(?=[\s:=,)]|$)", suffixes[".cu"], body)
    body = re.sub(r"^\.cu(?=\.\w+\s*:)", suffixes[".cu"], body)
    body = re.sub(r"(?<=[%*])\.cuh\b", suffixes.get(".cuh", ".cuh"), body)
    return re.sub(r"(?<=[%*])\.cu\b(?!h)", suffixes[".cu"], body)


def _without_dead_variables(text: str, before: str) -> str:
    """Drop variables that only nvcc's options used, such as ``ARCH``."""
    lines = text.splitlines(keepends=True)
    for name in sorted(set(re.findall(r"\$[({]([\w.\-]+)[)}]", before))):
        reference = re.compile(rf"\$[({{]{re.escape(name)}[)}}]|\bif(?:n?def|n?eq)\b.*\b{re.escape(name)}\b")
        if not any(reference.search(line) for line in lines):
            lines = [line for line in lines if not _assigns(line, name)]
    return "".join(lines)


def _assigns(line: str, name: str) -> bool:
    match = _ASSIGNMENT.match(line)
    return (
        match is not None and match.group(2) == name and not line.rstrip().endswith("\\") and line[0] != "\t"
    )


def compiles(command: str, text: str, compiler: str) -> bool:
    """Tell whether a command calls a compiler, by name or by a variable of the Makefile."""
    compilers = [
        match.group(1)
        for match in re.finditer(rf"^\s*(\w+)\s*[:?]?=\s*{re.escape(compiler)}(?:\s|$)", text, re.MULTILINE)
    ]
    return compiler in command or any(
        f"$({name})" in command or f"${{{name}}}" in command for name in compilers
    )
