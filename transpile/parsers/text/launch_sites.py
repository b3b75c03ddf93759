"""Launch sites of kernels in a source: in its text, or where a macro that launches is used."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from transpile.code.edits import line_of
from transpile.code.lexer import Macro, spelled, split, tokenize
from transpile.core import LaunchSite, MacroLaunch, Span, UnitKind
from transpile.parsers.text.calls import Directory, launched_name
from transpile.parsers.text.launches import LaunchText, find_launches
from transpile.parsers.text.macro_launches import MacroLaunches, Use, is_given, macro_launches
from transpile.parsers.text.units import Definition


def launch_sites(
    files: Mapping[str, bytes],
    found: Sequence[Definition],
    names: Sequence[str],
    directory: Directory,
    visible: Mapping[str, frozenset[str]],
) -> list[LaunchSite]:
    """Return the launches of all files.

    Args:
        files: The code.
        found: Its functions.
        names: The ids of the units that these are.
        directory: The functions by name.
        visible: The files that share a translation unit with a file.
    """
    through = macro_launches(files, visible)
    sites = []
    for path, data in files.items():
        inside = _Inside(path, found, names)
        for site in (*_written(path, data, through), *_given(path, data, through)):
            kernels = [
                index
                for index in directory.resolve(_name(site), len(site.arguments), path)
                if found[index].kind is UnitKind.KERNEL
            ]
            unit = names[kernels[0]] if len(kernels) == 1 else None
            sites.append(replace(site, unit=unit, caller=inside.caller(site.span)))
    return sites


def _name(site: LaunchSite) -> str:
    return launched_name(tokenize(site.kernel.encode("utf-8", "surrogateescape")).text)


@dataclass(frozen=True, slots=True)
class _Inside:
    """The functions of a file."""

    path: str
    found: Sequence[Definition]
    names: Sequence[str]

    def caller(self, span: Span) -> str:
        """Return the id of the function around a place; nothing where there is none."""
        own = [index for index, item in enumerate(self.found) if item.path == self.path]
        before = bisect_right([self.found[index].span.start for index in own], span.start) - 1
        around = before >= 0 and span.end <= self.found[own[before]].span.end
        return self.names[own[before]] if around else ""


def _written(path: str, data: bytes, through: MacroLaunches) -> Iterator[LaunchSite]:
    """Yield the launches in the text of a file, and those in macros of which uses do not show all."""
    tokens = tokenize(data)
    launches = [*find_launches(tokens.text)]
    launches += [item for macro in tokens.macros for item in _own(macro) if not through.shown(path, item)]
    for launch in launches:
        yield LaunchSite(
            path=path,
            span=launch.span,
            line=line_of(data, launch.span.start),
            kernel=spelled(launch.kernel),
            configuration=_configuration(launch),
            arguments=_arguments(launch),
        )


def _own(macro: Macro) -> Iterator[LaunchText]:
    """Yield the launches in the body of a macro that name their kernel."""
    return (launch for launch in find_launches(macro.body) if not is_given(launch, macro))


def _given(path: str, data: bytes, through: MacroLaunches) -> Iterator[LaunchSite]:
    """Yield the launches that uses of macros in the text of a file make."""
    for use in through.uses.get(path, ()):
        for item in use.launches:
            yield LaunchSite(
                path=path,
                span=use.span,
                line=line_of(data, use.span.start),
                kernel=spelled(item.launch.kernel),
                configuration=_configuration(item.launch),
                arguments=_arguments(item.launch),
                macro=_macro(use, item.path, item.launch, item.written, complete=through.complete),
            )


def _macro(use: Use, path: str, launch: LaunchText, written: LaunchText, *, complete: bool) -> MacroLaunch:
    return MacroLaunch(
        path=path,
        span=written.span,
        kernel=spelled(written.kernel),
        configuration=_configuration(written),
        arguments=_arguments(written),
        expansion=use.expansion.text,
        place=launch.span,
        own=frozenset(name.decode("utf-8", "surrogateescape") for name in use.sets()),
        complete=complete,
    )


def _configuration(launch: LaunchText) -> tuple[str, ...]:
    return tuple(spelled(part) for part in split(launch.configuration))


def _arguments(launch: LaunchText) -> tuple[str, ...]:
    return tuple(spelled(part) for part in split(launch.arguments))
