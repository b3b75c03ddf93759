"""Types of expressions that CUDA's own functions tell."""

from __future__ import annotations

import pytest

from transpile.translators.kernels.types import returned_by


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("__float_as_int", "int"),
        ("__float_as_uint", "unsigned"),
        ("__longlong_as_double", "double"),
        ("__double_as_longlong", "long long"),
        ("__float2int_rz", "int"),
        ("__double2ull_rn", "unsigned long long"),
        ("__half2float", "float"),
        ("__popcll", "int"),
        ("__umulhi", "unsigned"),
        # Of vectors and of types that are no arithmetic ones.
        ("__half22float2", None),
        ("__float2half_rn", None),
        ("__float22half2_rn", None),
        ("__double2hiint", None),
        ("__shfl_sync", None),
        ("float_as_int", None),
    ],
)
def test_functions_of_devices_return_known_types(name: str, kind: str | None) -> None:
    assert returned_by(name) == kind
