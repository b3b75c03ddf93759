"""Which key goes where: to the endpoint that it was given for, and to no other."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx2

from transpile.errors import UsageError

DEFAULT = "https://api.openai.com/v1"
_OPENAI = "OPENAI_API_KEY"
_BASE = "OPENAI_BASE_URL"
_OTHERS = "TRANSPILE_KEY_"
_PORTS = {"http": 80, "https": 443}
_PLAIN = frozenset(
    (
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-stainless-raw-response",  # the client's note to itself
    )
)
"""Headers that say nothing of whoever asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """The key of one endpoint; empty where it was given none."""

    variable: str
    """The variable that it is read from."""
    secret: str = field(repr=False)
    headers: bool
    """The endpoint is also told what else the environment holds for OpenAI's client."""

    @property
    def told(self) -> str:
        """Return what was sent, in words that a refusal of it is told in."""
        name = self.variable
        return f"the key in {name}" if self.secret else f"a request without a key ({name} is not set)"


def base_url() -> str:
    """Return the URL of models that are named without one."""
    return os.environ.get(_BASE) or DEFAULT


def key_of(url: str) -> Key:
    """Return the key that was given for an endpoint: ``OPENAI_API_KEY`` is for that of OPENAI_BASE_URL alone.

    Raises:
        UsageError: It is no key.
    """
    own = _origin(url) == _origin(base_url())
    name = _OPENAI if own else _variable(url)
    secret = os.environ.get(name, "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise UsageError(f"{name} is no key: it holds characters that no header takes")
    return Key(variable=name, secret=secret, headers=own)


def only_own_headers(key: Key) -> Callable[[httpx2.Request], Awaitable[None]]:
    """Return what takes out of each request all that the environment holds for another endpoint.

    OpenAI's client adds an organization, a project and headers of the user's to whatever it sends.
    """

    async def strip(request: httpx2.Request) -> None:
        for name in [] if key.headers else [name for name in request.headers if name.lower() not in _PLAIN]:
            del request.headers[name]
        request.headers["authorization"] = f"Bearer {key.secret or 'none'}"

    return strip


def _variable(url: str) -> str:
    """Return the name of the variable with the key of an endpoint, another one for each host and port.

    A dot becomes one underscore and a hyphen two, so that ``a-b.org`` does not get the key of ``a.b.org``.
    """
    scheme, host, port = _origin(url)
    name = host.replace("-", "__").replace(".", "_").replace(":", "___").upper()
    return f"{_OTHERS}{name}" + (f"_{port}" if port != _PORTS[scheme] else "")


def _origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of a URL that can be read."""
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    return scheme, (parts.hostname or "").rstrip("."), parts.port or _PORTS.get(scheme, 0)
