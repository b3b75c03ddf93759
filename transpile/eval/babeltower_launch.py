"""Calls of translations that take the launch as parameters, where a test passes the kernel's alone.

A kernel whose results depend on its launch is translated to a function that is told the launch. The item says
what it is: its own wrapper in CUDA launches the kernel.
"""

from __future__ import annotations

import re

from transpile.core import Candidate, Signature

_DIMENSIONS = """struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
"""
_WRAPPER = re.compile(
    r"\w+\s*\((?P<parameters>[^()]*)\)\s*\{.*?<<<(?P<grid>[^<>]*?),(?P<block>[^<>,]*)>>>", re.S
)


def with_launch(text: str, candidate: Candidate, signature: Signature, wrapper: str) -> tuple[str, str]:
    """Return a text that launches as the wrapper does, and the name of what is to be called in it."""
    found = _WRAPPER.search(wrapper)
    if found is None:
        return text, candidate.binding.name
    own = found["parameters"]
    names = ", ".join(re.findall(r"(\w+)\s*(?:,|$)", own.strip()))
    kernel = ", ".join(f"{item.spelling} {item.name}" for item in signature.parameters)
    call = f"{candidate.binding.name}({', '.join(candidate.binding.arguments)})"
    launch = f"const dim3 gridDim({found['grid']}), blockDim({found['block']});"
    body = f"{launch}\n[&]({kernel}) {{ {call}; }}({names});"
    return f"{_DIMENSIONS}{text}\nvoid launched({own}) {{\n{body}\n}}\n", "launched"


def leaves_launch_out(call: str, candidate: Candidate, signature: Signature) -> bool:
    """Tell whether a call passes what the kernel takes to a translation that takes more."""
    passed = re.search(r"wrapper\(\s*\w+\s*((?:,[^,()]*)*)\)", call)
    count = passed[1].count(",") if passed else -1
    return count == len(signature.parameters) < len(candidate.binding.arguments)
