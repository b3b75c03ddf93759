"""The host's part of a port: copies of arrays."""

from __future__ import annotations

from pathlib import Path

from tests.unit.translators.loops.test_texts import text
from transpile import parsers, translators
from transpile.core import CUDA, ArrayFact, ByRules, Candidate, Contract, Origin, Role


def test_copies_have_no_name_of_the_functions(tmp_path: Path) -> None:
    body = "    int x_size = n, y_device = 2;\n    for (int i = 0; i < x_size; i++) y[i] = y_device * x[i];\n"
    shown = text(tmp_path, body, CUDA)
    assert "check(cudaMalloc(&x_device, x_size2));" in shown
    assert "check(cudaMemcpy(x_device, x, x_size2, cudaMemcpyHostToDevice));" in shown
    assert "check(cudaMemcpy(y, y_device2, y_size, cudaMemcpyDeviceToHost));" in shown
    assert "(y_device2, x_device, " in shown


def test_a_length_is_what_the_text_reaches_and_not_what_was_fitted(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(
        "void f(int n, float *a, const float *b)\n{ for (int i = 0; i < n; i++) a[i] += b[i]; }\n"
    )
    source = parsers.read(tmp_path)
    [unit] = source.units
    facts = (
        ArrayFact(name="a", role=Role.INOUT, extent="n"),
        ArrayFact(name="b", role=Role.IN, extent="n * n", origin=Origin.BOUND),
    )
    contract = Contract(signature=source.signatures[unit.id][0], arrays=facts, scalars=(), law=None)
    found = translators.propose(source, unit, (contract,), CUDA)
    assert isinstance(found, Candidate) and isinstance(found.origin, ByRules)
    assert "const size_t b_size = n > 0 ? sizeof(float) * n : 0;" in found.replacements[0].shown
    assert not any("b has" in rule for rule in found.origin.rules)
