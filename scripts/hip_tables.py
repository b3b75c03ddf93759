"""Read what ROCm's documentation says of CUDA's names, and write it as the tables that we translate by.

    python scripts/hip_tables.py FOLDER

FOLDER holds the Markdown tables "CUDA … API supported by HIP" of ROCm's documentation (HIPIFY's pages). Only
facts are taken: which name stands for which, the first ROCm version that has it, and when it went out of
use. Rows of our own that the documentation does not have stand in ``own.csv`` and are not touched. Then the
header is written by which the emulator knows HIP's names for what it has: without FOLDER, only that.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from transpile import simt
from transpile.translators.targets.hip.tables import COLUMNS, LACKING, TABLES, names

PAGES = {
    "runtime": "CUDA_Runtime_API_functions_supported_by_HIP",
    "driver": "CUDA_Driver_API_functions_supported_by_HIP",
    "device": "CUDA_Device_API_supported_by_HIP",
    "compilation": "CUDA_RTC_API_supported_by_HIP",
    "complex": "cuComplex_API_supported_by_HIP",
    "cublas": "CUBLAS_API_supported_by_HIP",
    "cufft": "CUFFT_API_supported_by_HIP",
    "curand": "CURAND_API_supported_by_HIP",
    "cusolver": "CUSOLVER_API_supported_by_HIP",
    "cusparse": "CUSPARSE_API_supported_by_HIP",
    "cudnn": "CUDNN_API_supported_by_MIOPEN",
}
_OWN = ("__HIPCC__", "hipHostMalloc")
"""Names that the emulator defines itself."""
_ROUTINE = re.compile(r"^SIMT_BLAS(?:_POSITION)?\((\w+),", re.MULTILINE)
_FORMS = ("_v2", "_64", "_v2_64")
"""Of each routine of cuBLAS, which a macro of the emulator makes."""
_ROW = re.compile(r"^\|`(\w+)`\|(?:[^|]*\|){4}(?:`(\w+)`| ?)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|")


def rows(text: str) -> Iterator[tuple[str, ...]]:
    """Yield CUDA's name, HIP's (empty where it has none), and when HIP's came, was deprecated and went."""
    for line in text.splitlines():
        found = _ROW.match(line)
        if found is not None:
            cuda, hip, since, deprecated, _, removed = ((part or "").strip() for part in found.groups())
            yield cuda, hip, since, deprecated, removed


def written(folder: Path) -> None:
    """Write one table for each of the documentation's."""
    known, lacking = set[str](), set[str]()
    for name, title in PAGES.items():
        found = {row[0]: row for row in rows((folder / f"{title}.md").read_text()) if row[0] not in known}
        lacking |= {row[0] for row in found.values() if not row[1]}
        found = {key: row for key, row in found.items() if row[1]}
        known |= found.keys()
        table(name, [found[key] for key in sorted(found)])
    table(LACKING, [(key, *[""] * 4) for key in sorted(lacking - known)])


def table(name: str, lines: Sequence[Sequence[str]]) -> None:
    """Write one table."""
    with (TABLES / f"{name}.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(lines)
    print(f"{name}: {len(lines)} names")


def emulated() -> dict[str, str]:
    """Return the emulator's name for each of HIP's whose counterpart it has.

    Names of hipBLAS that end in ``_v2`` stand for themselves without it as well, as its headers have it.
    """
    place = simt.include_directory()
    paths = (path for path in place.rglob("*.*") if "hip" not in path.relative_to(place).parts)
    texts = [path.read_text() for path in paths]
    words = {word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text)}
    words |= {name + form for text in texts for name in _ROUTINE.findall(text) for form in _FORMS}
    found: dict[str, str] = {}
    for row in sorted(names().values(), key=lambda row: row.cuda.removeprefix("cuda") != row.hip[3:]):
        if row.cuda != row.hip and row.cuda in words and row.hip not in _OWN:
            found.setdefault(row.hip, row.cuda)
            if row.hip.startswith("hipblas"):
                found.setdefault(row.hip.replace("_v2", ""), row.cuda)
    return found


def main() -> None:
    """Write the tables, then the emulator's header."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    folder = parser.parse_args().folder
    if folder is not None:
        written(folder)
    lines = [f"#define {hip} {cuda}\n" for hip, cuda in sorted(emulated().items())]
    said = "// HIP's names for what the emulator has. Written by scripts/hip_tables.py.\n"
    guard = "SIMT_HIP_NAMES_H"
    text = f"{said}#ifndef {guard}\n#define {guard}\n\n{''.join(lines)}\n#endif\n"
    (simt.include_directory() / "hip" / "names.h").write_text(text)
    print(f"emulator: {len(lines)} names")


if __name__ == "__main__":
    main()
