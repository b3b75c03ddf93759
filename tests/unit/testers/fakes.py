"""A worker without compilers: kernels are Python functions on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from transpile.core import Contract, Launch
from transpile.testers.compare.wide import WIDER
from transpile.testers.run.bench import Entry
from transpile.testers.trials.layout import view
from transpile.toolchains.build import BuildFailed, Built, Flavour
from transpile.toolchains.worker import ArrayTrace, Call, Completed, Crashed, Race, Trace

Arrays = dict[str, np.ndarray]
Kernel = Callable[[Arrays, Launch, int], object]
"""Changes the arrays (scalars are among them) and returns a Crashed, or races, or nothing."""


@dataclass
class Fake:
    """Answers calls by Python functions, one for each flavour that differs from the plain one."""

    contract: Contract
    plain: Kernel
    others: dict[Flavour, Kernel] = field(default_factory=dict)
    inexact: bool = False
    calls: list[Call] = field(default_factory=list)

    def entry(self, signature: object, flavour: Flavour) -> Entry | BuildFailed:
        del signature
        if flavour in WIDER:
            return BuildFailed(command="", output="functions of Python have no wider types")
        return Entry(library=Built(path=Path(str(id(self))), digest="", flavour=flavour), index=0)

    def answer(self, call: Call, flavour: Flavour) -> Completed | Crashed:
        self.calls.append(call)
        kernel = self.others.get(flavour, self.plain)
        buffers = [
            np.array(item) if isinstance(item, np.ndarray) else np.frombuffer(item, np.uint8).copy()
            for item in call.arguments
        ]
        named = {}
        aliases = dict(call.aliases)
        for index, parameter in enumerate(self.contract.signature.parameters):
            assert parameter.element is not None
            data = buffers[aliases.get(index, index)]
            whole = view(data, parameter.element, parameter.element.leaves[0])
            named[parameter.name] = whole if parameter.pointer else whole[0]
        before = [data.copy() for data in buffers]
        said = kernel(named, call.launch, call.seed)
        if isinstance(said, Crashed):
            return said
        trace = self._trace(before, buffers, said) if flavour is Flavour.TRACE else None
        return Completed(
            arguments=tuple(buffers),
            globals=(),
            returned=b"",
            inexact=self.inexact,
            seconds=0.001,
            trace=trace,
        )

    def _trace(self, before: Sequence[np.ndarray], after: Sequence[np.ndarray], said: object) -> Trace:
        arrays = []
        for parameter, old, new in zip(self.contract.signature.parameters, before, after, strict=True):
            wrote = old != new
            flags = np.where(wrote, 2, 1).astype(np.uint8)
            whole = ArrayTrace(low=0, high=len(old), flags=flags)
            arrays.append(whole if parameter.pointer and len(old) else None)
        races = tuple(said) if isinstance(said, list) else ()
        return make_trace(arrays=tuple(arrays), races=races)


def make_trace(arrays: tuple[ArrayTrace | None, ...], races: tuple[Race, ...] = ()) -> Trace:
    return Trace(arrays=arrays, races=races, poisoned=())


class Worker:
    """Stands in for ``toolchains.worker.run``."""

    def __init__(self, *fakes: Fake) -> None:
        self._fakes = {str(id(fake)): fake for fake in fakes}

    def run(
        self, workshop: object, library: Built, calls: Sequence[Call], **how: object
    ) -> list[Completed | Crashed]:
        del workshop, how
        return [self._fakes[str(library.path)].answer(call, library.flavour) for call in calls]
