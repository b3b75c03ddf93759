"""Texts of JSON that carry their own digest: what was changed since is not believed."""

from __future__ import annotations

import hashlib

_HEAD, _TAIL = b'{\n "digest": "', b'",'
_LENGTH = 64


def sealed(text: bytes) -> bytes:
    """Return a JSON object with the digest of all the rest as its first member."""
    rest = text.removeprefix(b"{") + b"\n"
    return _HEAD + _digest(rest) + _TAIL + rest


def opened(data: bytes) -> bytes:
    """Return the object without its digest.

    Raises:
        ValueError: It is not what was sealed.
    """
    head, digest = data[: len(_HEAD)], data[len(_HEAD) : len(_HEAD) + _LENGTH]
    rest = data[len(_HEAD) + _LENGTH + len(_TAIL) :]
    if head != _HEAD or digest != _digest(rest):
        raise ValueError("the text was changed since it was sealed")
    return b"{" + rest


def _digest(rest: bytes) -> bytes:
    return hashlib.sha256(rest).hexdigest().encode()
