"""``transpile serve``: the judge over HTTP, for whoever trains models."""

from __future__ import annotations

import ipaddress
import os
import secrets
from typing import Annotated

import typer

from transpile.cli import render
from transpile.cli.arguments import TARGETS, Seed, Unsafe
from transpile.core import Level
from transpile.errors import UsageError
from transpile.rewards import Judge, JudgeOptions, Scale
from transpile.rewards.service import ADDRESS, PORT, Limits, Server

TOKEN = "TRANSPILE_SERVE_TOKEN"
_SHORTEST = 16


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than loopback need a token.")
    ] = ADDRESS,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any that is free.")] = PORT,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Groups judged at a time.")] = 1,
    queue: Annotated[int, typer.Option(min=0, help="Groups that may wait; others are sent away (429).")] = 32,
    candidates: Annotated[int, typer.Option(min=1, max=4096, help="Candidates in a group, at most.")] = 64,
    require: Annotated[Level, typer.Option(help="What a candidate must reach to pass.")] = Level.TESTED,
    speed: Annotated[
        float, typer.Option(min=0, help="What speed is worth on top of a pass; 0: no clock is asked.")
    ] = 0.0,
    seed: Seed = None,
    unsafe: Unsafe = False,
) -> None:
    """Judge candidates over HTTP and answer with rewards. The token is read from TRANSPILE_SERVE_TOKEN."""
    token = _token(host)
    options = JudgeOptions(
        required=require, scale=Scale(speed=speed), seed=seed or 0, jobs=jobs, unsafe=unsafe
    )
    limits = Limits(jobs=jobs, queue=queue, candidates=candidates)
    with Judge(options) as judge:
        try:
            server = Server(judge, TARGETS, token, limits, (host, port))
        except OSError as error:
            raise UsageError(
                f"{host}:{port} cannot be listened on: {error.strerror or error}",
                hint="Choose another --port.",
            ) from error
        with server:
            name = f"[{host}]" if ":" in host else host
            render.data_line(f"http://{name}:{server.server_address[1]}")
            if TOKEN not in os.environ:
                render.hint(f"Authorization: Bearer {token}")
            server.serve_forever()


def _token(host: str) -> str:
    """Return the token of the environment, or for this machine alone a new one."""
    given = os.environ.get(TOKEN)
    if given is None and not _is_loopback(host):
        raise UsageError(
            f"{host} is reached from other machines, and no token is set",
            hint=f"Set {TOKEN}; whoever has it may run code here, within the sandbox.",
        )
    if given is not None and len(given) < _SHORTEST:
        raise UsageError(f"{TOKEN} is too short", hint=f"Take {_SHORTEST} characters or more.")
    return given or secrets.token_urlsafe(24)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
