"""Where places in a built library come from: the lines of the texts that it was made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from transpile.toolchains import sandbox
from transpile.toolchains.build import Built
from transpile.toolchains.confinement import Mounts, Profile, Quota
from transpile.toolchains.workshop import Workshop

_PLACE = re.compile(r"^(?P<path>/.*):(?P<line>\d+)", re.MULTILINE)
_WIDTH = 120
_SECONDS = 20.0


def lines(
    workshop: Workshop, library: Built, sites: Sequence[int], texts: Mapping[str, bytes]
) -> tuple[str, ...]:
    """Return the line of each site, an offset in the library; empty where it is in none of these texts."""
    addresses = [hex(site) if site >= 0 else "" for site in sites]
    found = places(workshop, library, [address for address in addresses if address])
    return tuple(line(found.get(address, ""), texts) for address in addresses)


def places(workshop: Workshop, library: Built, addresses: Sequence[str]) -> Mapping[str, str]:
    """Return where addresses in a library come from: paths and lines, inlined calls first."""
    if not addresses:
        return {}
    finished = sandbox.execute(
        ["addr2line", "--inlines", "--addresses", f"--exe={library.path}", *dict.fromkeys(addresses)],
        profile=Profile.BUILD,
        mounts=Mounts(cwd=library.path.parent, readable=[library.path]),
        quota=Quota(timeout=_SECONDS, memory=workshop.memory),
        unsafe=workshop.unsafe,
    )
    parts = re.split(r"^0x0*([0-9a-f]+)\n", finished.stdout.decode("utf-8", "replace"), flags=re.MULTILINE)
    return {f"0x{address}": text for address, text in zip(parts[1::2], parts[2::2], strict=True)}


def line(found: str, texts: Mapping[str, bytes]) -> str:
    """Return the first line of these texts that a place lies in; empty for what is in none of them."""
    for place in _PLACE.finditer(found):
        name = next((path for path in texts if place["path"].endswith("/" + path)), None)
        known = texts[name].splitlines() if name is not None else []
        if 0 < int(place["line"]) <= len(known):
            return known[int(place["line"]) - 1].decode("utf-8", "replace").strip()[:_WIDTH]
    return ""
