"""Run foreign code so that it cannot reach the network, other processes or anybody's files.

Nothing that a repository or a translator wrote is compiled or run in another way. Two layers at least
hold a command: Landlock governs files and seccomp system calls, both in a small launcher that confines
itself and becomes the command. Where bubblewrap works, builds also get namespaces of their own; where
Landlock is missing, it takes over the files.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from transpile import machine
from transpile.errors import InternalError, ToolMissing
from transpile.toolchains import compilers, holdings, limits, native
from transpile.toolchains.confinement import UNMONITORED, Monitor, Mounts, Profile, Quota
from transpile.toolchains.limits import Limits
from transpile.toolchains.modes import make_executable
from transpile.toolchains.process import Finished, supervise
from transpile.toolchains.workshop import cache_directory

FILE_LIMIT = 4 << 30
_LIBRARIES = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/etc/ld.so.cache",
)
_SYSTEM = (
    *_LIBRARIES, "/usr", "/bin", "/sbin", "/etc/alternatives", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
)  # fmt: skip
_DEVICES = ("/dev/null", "/dev/random", "/dev/urandom", "/dev/full")
_SECCOMP_GET_ACTION_AVAIL = 2
_SECCOMP_RET_ERRNO = 0x00050000


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A part of the sandbox as this machine has it."""

    name: str
    usable: bool
    detail: str


@cache
def layers() -> tuple[Layer, ...]:
    """Find out which parts of a sandbox this machine offers, once a process."""
    return (_landlock(), _seccomp(), _bubblewrap())


def usable() -> bool:
    """Tell whether files and system calls can both be held."""
    landlock, seccomp, bubblewrap = layers()
    return seccomp.usable and (landlock.usable or bubblewrap.usable)


def execute(
    command: Sequence[str],
    *,
    profile: Profile,
    mounts: Mounts,
    quota: Quota,
    environment: Mapping[str, str] | None = None,
    monitor: Monitor = UNMONITORED,
    fixed_addresses: bool = False,
    unsafe: bool = False,
    stdin: int = subprocess.DEVNULL,
) -> Finished:
    """Run the command in the sandbox and kill whatever is left of it afterwards.

    Args:
        command: Program and arguments; the program is looked up in the standard path.
        profile: What it may do.
        mounts: Which files it sees.
        quota: How much it may use.
        environment: Variables on top of a clean environment: nothing of ours is inherited.
        monitor: Who watches it.
        fixed_addresses: Switch address randomisation off, which ThreadSanitizer may need.
        unsafe: Run without the sandbox.
        stdin: The open file that it reads as its input; nothing to read by default.

    Raises:
        ToolMissing: There is no such program, or no usable sandbox on this machine.
    """
    program = shutil.which(command[0], path=_search_path())
    if program is None:
        raise ToolMissing(f"{command[0]} is missing")
    words = [program, *command[1:]]
    start = partial(
        supervise,
        cwd=mounts.cwd,
        environment=_environment(mounts, environment or {}),
        timeout=quota.timeout,
        watch=monitor.watch,
        stdin=stdin,
    )
    if unsafe:
        counted = quota.resident or profile is not Profile.BUILD
        return start(
            [*monitor.observer, *words],
            limits=Limits(memory=quota.memory) if counted else None,
            descriptors=monitor.descriptors,
        )
    if not usable():
        raise ToolMissing(
            "this machine has no usable sandbox",
            hint="needs seccomp with Landlock (Linux 5.13) or bubblewrap; --unsafe-no-sandbox goes without",
        )
    enclosed = _needs_bubblewrap(profile)
    system = _SYSTEM if profile is Profile.BUILD else _LIBRARIES
    visible = replace(mounts, readable=[*map(Path, system), Path(program), *mounts.readable])
    options = _options(profile, visible, quota, enclosed=enclosed, fixed_addresses=fixed_addresses)
    launcher = _launcher()
    bounds = _limits(profile, mounts, quota)
    reader, writer = os.pipe()
    kills = machine.memory_kills()
    try:
        line = [str(launcher), *options, "--report", str(writer), "--", *words]
        if enclosed:
            line = _enclose(replace(visible, readable=[*visible.readable, launcher])) + line
        finished = start(
            [*monitor.observer, *line], limits=bounds, descriptors=(writer, *monitor.descriptors)
        )
    finally:
        os.close(writer)
        with os.fdopen(reader, "rb") as file:
            complaint = file.read(4096)
        if bounds.swamped:
            for path in mounts.writable:
                holdings.remove_all(path)
    if complaint:
        raise InternalError(f"the sandbox could not start {command[0]}: {complaint.decode(errors='replace')}")
    if profile is not Profile.BUILD and _killed_for_memory(finished, kills):
        raise InternalError(f"{command[0]} was killed, since this machine ran out of memory")
    if profile is Profile.BUILD and not enclosed:
        make_executable(mounts.writable)
    return replace(finished, status=finished.status or 1) if finished.exceeded else finished


def _options(
    profile: Profile, mounts: Mounts, quota: Quota, *, enclosed: bool, fixed_addresses: bool
) -> list[str]:
    """Return the options of the launcher."""
    most = FILE_LIMIT if quota.file_size is None else quota.file_size
    options = ["--" + profile.value, "--file-size", str(most)]
    if layers()[0].usable:
        options.append("--landlock")
    if fixed_addresses:
        options.append("--fixed-addresses")
    if not quota.resident:
        options += ["--memory" if profile is Profile.BUILD else "--data", str(quota.memory)]
    if enclosed:
        options.append("--namespaces")
    for path in mounts.readable:
        options += ["--read", str(path)]
    for path in mounts.writable:
        options += ["--write", str(path)]
    return options


def _limits(profile: Profile, mounts: Mounts, quota: Quota) -> Limits:
    """Return what is counted of a command while it runs."""
    return Limits(
        memory=2 * quota.memory if profile is Profile.BUILD else quota.memory,
        tasks=limits.TASKS,
        disk=limits.DISK if quota.file_size is None else 4 * quota.file_size,
        files=limits.FILES,
        places=mounts.writable,
    )


def _killed_for_memory(finished: Finished, before: int) -> bool:
    """Tell whether the system killed a program for want of memory; how many it had killed before is given."""
    killed = finished.status == 128 + signal.SIGKILL
    ours = finished.timed_out or finished.out_of_memory or finished.exceeded
    return killed and not ours and machine.memory_kills() > before


def _search_path() -> str:
    return os.environ.get("PATH", os.defpath)


def _environment(mounts: Mounts, extra: Mapping[str, str]) -> dict[str, str]:
    scratch = str(mounts.writable[0] if mounts.writable else mounts.cwd)
    clean = {"PATH": _search_path(), "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8"}
    return clean | dict(extra)


def _needs_bubblewrap(profile: Profile) -> bool:
    """Decide where the second enclosure is worth its ten milliseconds: builds may start processes."""
    landlock, _, bubblewrap = layers()
    return bubblewrap.usable and (profile is Profile.BUILD or not landlock.usable)


def _enclose(mounts: Mounts) -> list[str]:
    line = [str(compilers.find().require("bwrap").path), "--unshare-all", "--die-with-parent"]
    for device in _DEVICES:
        line += ["--dev-bind-try", device, device]
    line += ["--proc", "/proc"]
    if not layers()[0].usable:
        # Settings of the kernel belong to root, who needs no power to write what is his.
        line += ["--remount-ro", "/proc"]
    for path in mounts.readable:
        line += ["--ro-bind-try", str(path), str(path)]
    for path in mounts.writable:
        line += ["--bind", str(path), str(path)]
    return [*line, "--remount-ro", "/", "--chdir", str(mounts.cwd)]


@cache
def _launcher() -> Path:
    flags = ("-std=c++17", "-O1")
    for directory in (cache_directory(), Path(tempfile.gettempdir()) / f"transpile-{os.getuid()}"):
        try:
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            if directory.stat().st_uid == os.getuid() and os.access(directory, os.W_OK):
                return native.executable(directory, "launcher", ("launcher.cpp",), "g++", flags)
        except OSError:
            continue
    raise ToolMissing("there is no place to keep the sandbox's launcher", hint="set XDG_CACHE_HOME")


def _landlock() -> Layer:
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(444, None, 0, 1)
    detail = f"version {version}" if version > 0 else "the kernel offers none"
    return Layer(name="landlock", usable=version > 0, detail=detail)


def _seccomp() -> Layer:
    number = {"x86_64": 317, "aarch64": 277}.get(os.uname().machine)
    if number is None:
        return Layer(name="seccomp", usable=False, detail=f"unknown machine {os.uname().machine}")
    library = ctypes.CDLL(None, use_errno=True)
    action = ctypes.c_uint32(_SECCOMP_RET_ERRNO)
    found = library.syscall(number, _SECCOMP_GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0
    return Layer(name="seccomp", usable=found, detail="filters" if found else "the kernel offers none")


def _bubblewrap() -> Layer:
    tool = compilers.find().get("bwrap")
    if tool.path is None:
        return Layer(name="bubblewrap", usable=False, detail="not installed: " + tool.hint)
    probe = [
        tool.path,
        "--unshare-all",
        "--die-with-parent",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "true",
    ]
    try:
        done = subprocess.run(probe, capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Layer(name="bubblewrap", usable=False, detail=str(error))
    if done.returncode == 0:
        return Layer(name="bubblewrap", usable=True, detail=f"version {tool.version}, namespaces of its own")
    reason = done.stderr.decode(errors="replace").strip().splitlines()
    return Layer(name="bubblewrap", usable=False, detail=reason[-1] if reason else "does not start")
