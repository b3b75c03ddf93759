"""Types of expressions that CUDA's own functions tell."""

from __future__ import annotations

import pytest

from transpile.code.syntax import Function, field, find
from transpile.code.variables import resolve
from transpile.translators.kernels.draft import Surroundings
from transpile.translators.kernels.types import Types, returned_by


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
        ("__half22float2", "float2"),
        ("__float2half_rn", "__half"),
        ("__float22half2_rn", "__half2"),
        ("__low2half2", "__half2"),
        ("__double2hiint", "int"),
        ("__double2highint", None),
        ("__hadd2", None),
        ("__shfl_sync", None),
        ("float_as_int", None),
    ],
)
def test_functions_of_devices_return_known_types(name: str, kind: str | None) -> None:
    assert returned_by(name) == kind


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("__hadd2(a, b)", "__half2"),
        ("__hmul_rn(c, c)", "__nv_bfloat16"),
        ("h2rsqrt(__float2half2_rn(x))", "__half2"),
        ("hsqrt(unknown())", None),
        ("Sum{}", "Sum"),
    ],
)
def test_arithmetic_of_halves_has_the_type_of_its_first_operand(value: str, kind: str | None) -> None:
    function = Function(f"void f(__half2 a, __half2 b, __nv_bfloat16 c, float x) {{ auto y = {value}; }}")
    declared = next(find(function.body, "init_declarator"))
    assert Types(resolve(function), Surroundings()).of(field(declared, "value")) == kind
