"""The text that ends a translation unit."""

from __future__ import annotations

from transpile.core import (
    Binding,
    ElementType,
    GlobalVariable,
    Leaf,
    Parameter,
    Scalar,
    Signature,
)
from transpile.toolchains.entry import Passage, candidate_entries, source_entries
from transpile.toolchains.function_entry import candidate_calls

FLOAT = ElementType(spelling="float", size=4, leaves=(Leaf(offset=0, scalar=Scalar.FLOAT32),))
INT = ElementType(spelling="int", size=4, leaves=(Leaf(offset=0, scalar=Scalar.INT32),))
X = Parameter(name="x", spelling="const float *__restrict__", element=FLOAT, pointer=True, const=True)
N = Parameter(name="n", spelling="T", element=INT, pointer=False)


def test_a_source_entry_launches() -> None:
    form = Signature(name="ns::k", template_arguments="float, 4", parameters=(X, N))
    text = source_entries([form]).decode()
    assert "int transpile_entry_0(void **transpile_arguments)" in text
    assert 'transpile::launch("ns::k<float, 4>", ns::k<float, 4>, transpile_arguments)' in text


def test_overloads_are_cast() -> None:
    forms = [Signature(name="k", parameters=(X,)), Signature(name="k", parameters=(N,))]
    text = source_entries(forms).decode()
    assert "static_cast<void (*)(const float *)>(k)" in text
    assert "static_cast<void (*)(int)>(k)" in text


def test_casts_name_the_very_types() -> None:
    """``unsigned long`` and ``char`` are as wide as other types, which name other functions."""
    kinds = (("unsigned long", Scalar.UINT64, 8), ("char", Scalar.INT8, 1), ("_Bool", Scalar.BOOL, 1))
    parameters = tuple(
        Parameter(
            name=f"p{index}",
            spelling=kind,
            element=ElementType(spelling=kind, size=size, leaves=(Leaf(offset=0, scalar=scalar),)),
            pointer=False,
        )
        for index, (kind, scalar, size) in enumerate(kinds)
    )
    forms = [Signature(name="k", parameters=parameters), Signature(name="k", parameters=(X,))]
    assert "static_cast<void (*)(unsigned long, char, bool)>(k)" in source_entries(forms).decode()


def test_kernels_are_cast_where_a_host_function_has_their_name() -> None:
    kernel, plain = Signature(name="k", parameters=(X, N)), Signature(name="other", parameters=(X,))
    text = source_entries([kernel, plain], frozenset({"k"})).decode()
    assert "static_cast<void (*)(const float *, int)>(k)" in text
    assert 'transpile::launch("other", other, ' in text
    passage = Passage(signature=kernel, binding=Binding(name="k", arguments=("x", "n")), namespace="apart")
    assert "decltype" not in candidate_entries([passage], frozenset({"k"})).decode()


def test_kernels_of_a_port_are_cast_where_others_have_their_name() -> None:
    passages = [
        Passage(
            signature=Signature(name="k", parameters=(parameter,)),
            binding=Binding(name="k", arguments=(), kernel=True),
            namespace="",
        )
        for parameter in (X, N)
    ]
    text = candidate_entries(passages).decode()
    assert "static_cast<void (*)(const float *)>(k)" in text
    assert "static_cast<void (*)(int)>(k)" in text


def entries(signature: Signature, binding: Binding, namespace: str = "transpile_candidate") -> str:
    return candidate_entries([Passage(signature=signature, binding=binding, namespace=namespace)]).decode()


def test_a_candidate_that_is_a_kernel_is_launched() -> None:
    text = entries(Signature(name="k", parameters=(X, N)), Binding(name="k", arguments=(), kernel=True))
    assert 'return transpile::launch("k", transpile_candidate::k, transpile_arguments);' in text


def test_a_candidate_lives_in_a_namespace_of_its_source() -> None:
    binding = Binding(name="ns::k", arguments=("x", "n + 1", "gridDim.x"), template_arguments="float")
    text = entries(Signature(name="ns::k", parameters=(X, N)), binding)
    assert "return ns::transpile_candidate::k<float>(x, n + 1, gridDim.x);" in text
    assert "decltype(&ns::k)" in text


def test_a_port_is_called_without_its_source() -> None:
    binding = Binding(name="k", arguments=("x", "n"))
    text = entries(Signature(name="k", parameters=(X, N)), binding, namespace="")
    assert "return k(x, n);" in text
    assert "decltype" not in text
    assert "using transpile_type_0 = const float *;" in text
    assert "using transpile_type_1 = int;" in text


def test_a_macro_that_comes_after_the_kernel_does_not_name_its_parameters() -> None:
    binding = Binding(name="k", arguments=("x", "n"))
    text = entries(Signature(name="k", parameters=(X, N)), binding)
    assert text.index("#undef x\n#undef n\n") < text.index("transpile_entry_0")


def test_globals_are_listed_with_their_sizes() -> None:
    variable = GlobalVariable(name="ns::weights", element=FLOAT, count=9, constant=True)
    text = source_entries([Signature(name="k", globals=(variable,))]).decode()
    assert '{"ns::weights", (void *)&ns::weights, sizeof(ns::weights)}' in text


def test_buffers_are_told_whose_memory_they_are() -> None:
    pointers = tuple(
        Parameter(name=name, spelling="float *", element=FLOAT, pointer=True) for name in ("x", "y")
    )
    passage = Passage(
        signature=Signature(name="f", parameters=(*pointers, N)),
        binding=Binding(name="f_device", arguments=("x", "y", "n"), device=("y",)),
        namespace="",
        isolated=True,
    )
    text = candidate_calls([passage]).decode()
    assert "TRANSPILE_MEMORY_OF(x, 0);\n    TRANSPILE_MEMORY_OF(y, 1);\n    f_device(" in text
    assert "TRANSPILE_STATUS(1)" in text  # what it launched has to end
    assert "MEMORY_OF(n" not in text
