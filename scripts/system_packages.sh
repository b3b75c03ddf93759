#!/bin/sh
# Install what `make demo` and `make test` need from the system, or say exactly what is missing.
# Quick where nothing is: only looks for files and programs.
# With the argument `devices`: the compiler for AMD devices (350 MB), which tests use where it is.
set -eu

missing=""
need() { missing="$missing $1"; }
any() { for file in "$@"; do [ -e "$file" ] && return 0; done; return 1; }

command -v g++ >/dev/null || need g++
command -v gfortran >/dev/null || need gfortran
command -v make >/dev/null || need make
command -v clang++-19 >/dev/null || need clang-19
any /usr/lib/llvm-19/lib/libarcher.so || need libomp-19-dev
command -v clang-linker-wrapper-19 >/dev/null || need clang-tools-19
any /usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.tsan-*.a || need libclang-rt-19-dev
any /usr/lib/*/libtbb.so /usr/lib/libtbb.so /usr/lib64/libtbb.so || need libtbb-dev
command -v bwrap >/dev/null || need bubblewrap
python=$(sh "$(dirname "$0")/python.sh" || true)
if [ -z "$python" ]; then
    need python3-venv
elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    # Debian splits the standard library: the package is named after the minor version.
    need "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
fi

if [ "${1:-}" = devices ] && ! command -v hipcc >/dev/null; then
    need hipcc
    need libamdhip64-dev
    need rocm-device-libs
fi

[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "Missing:$missing (named as on Debian 12). Install them with this system's package manager." >&2
    exit 2
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root="sudo"
else
    echo "Missing:$missing. As root, run: apt-get update && apt-get install --no-install-recommends$missing" >&2
    exit 2
fi
echo "Installing$missing" >&2
$as_root apt-get update -q >&2
# shellcheck disable=SC2086  # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
