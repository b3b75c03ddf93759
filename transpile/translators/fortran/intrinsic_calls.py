"""Intrinsic functions, elemental and over whole arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import intrinsics, tree
from transpile.parsers.fortran.constants import fold
from transpile.parsers.fortran.intrinsic_types import DUMMIES, extent_of, keyed
from transpile.parsers.fortran.symbols import INTEGER, Type
from transpile.parsers.fortran.typing import meaning, symbol_of
from transpile.translators.fortran.axes import Index
from transpile.translators.fortran.code import Binding, Code, call
from transpile.translators.fortran.elemental import Elemental, Given
from transpile.translators.fortran.names import plain
from transpile.translators.fortran.types import is_assumed, plain_type

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_REAL_MODELS = {
    4: {"digits": 24, "precision": 6, "range": 37, "maxexponent": 128, "minexponent": -125},
    8: {"digits": 53, "precision": 15, "range": 307, "maxexponent": 1024, "minexponent": -1021},
}
_INTEGER_RANGES = {1: 2, 2: 4, 4: 9, 8: 18}
_LIMITS = {"huge": "max", "tiny": "min", "epsilon": "epsilon"}
_CONVERTED = {"int": INTEGER, "real": Type("real", 4)}
_LOGICAL_RESULTS = ("omp_in_parallel", "omp_is_initial_device", "omp_get_dynamic", "omp_get_nested")


class Intrinsics:
    """Writes calls of intrinsic functions."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine
        self.elementals = Elemental(emitter.expressions)

    def scalar(self, expression: tree.Apply) -> Code:
        """Return a call whose result is a scalar."""
        assert isinstance(expression.base, tree.Name)
        name, converted = intrinsics.SPECIFIC.get(expression.base.name, (expression.base.name, ""))
        if name in intrinsics.ELEMENTAL:
            ordered = self.emitter.expressions.in_order([item.value for item in expression.arguments])
            given = []
            for item in expression.arguments:
                if item.keyword != "kind":
                    code = self.emitter.expressions.scalar(item.value)
                    code = self.emitter.expressions.kept(item.value, code) if ordered else code
                    given.append(self._given(item, code))
            return self._elemental(name, converted, given, expression)
        given_by_name = keyed(name, expression.arguments, DUMMIES.get(name, ()))
        if name in intrinsics.REDUCTIONS:
            return self._reduction(name, given_by_name, expression)
        if name in intrinsics.LOCATIONS:
            return Code(f"{self._location(name, given_by_name, expression).text}(1)")
        if name in intrinsics.INQUIRIES:
            return self._inquiry(name, given_by_name, expression)
        if name == "dot_product":
            return self._dot_product(expression)
        if name == "trim":
            return call("fortran::trim", self.emitter.expressions.scalar(expression.arguments[0].value).text)
        if name == "repeat":
            return call(
                "fortran::repeat",
                *(self.emitter.expressions.scalar(item.value).text for item in expression.arguments),
            )
        if name == "transfer":
            return self._transfer(expression)
        if name == "new_line":
            return Code('"\\n"')
        if name.startswith("omp_"):
            return self._openmp(name, expression)
        raise self.routine.refused(f"the function `{name}`", expression.line)

    def elemental(self, expression: tree.Apply, at: list[Index]) -> Code:
        """Return an element of a call that is made element by element."""
        assert isinstance(expression.base, tree.Name)
        name, converted = intrinsics.SPECIFIC.get(expression.base.name, (expression.base.name, ""))
        given = [
            self._given(item, self.emitter.elements.element(item.value, at))
            for item in expression.arguments
            if item.keyword != "kind"
        ]
        return self._elemental(name, converted, given, expression)

    def array(self, expression: tree.Apply) -> Code:
        """Return a call whose result is an array."""
        assert isinstance(expression.base, tree.Name)
        name = expression.base.name
        given = keyed(name, expression.arguments, DUMMIES.get(name, ()))
        if name in intrinsics.REDUCTIONS:
            return self._reduction(name, given, expression)
        if name in intrinsics.LOCATIONS:
            return self._location(name, given, expression)
        if name in ("shape", "lbound", "ubound"):
            function = {"shape": "shape", "lbound": "lower_bounds", "ubound": "upper_bounds"}[name]
            return call(f"fortran::{function}", self._object(expression.arguments[0].value))
        if name in intrinsics.REARRANGING:
            return self._rearranged(name, given, expression)
        raise self.routine.refused(f"the function `{name}` as an array", expression.line)

    def _given(self, item: tree.Argument, code: Code) -> Given:
        value = item.value
        while isinstance(value, tree.Parenthesized):
            value = value.inner
        loaded = isinstance(value, (tree.Name, tree.Member)) and not self._is_constant(value)
        loaded = loaded or (isinstance(value, tree.Apply) and meaning(value, self.routine.scope) == "element")
        return Given(code, self.routine.typed(item.value).type, item.keyword, loaded)

    def _is_constant(self, value: tree.Expression) -> bool:
        found = self.routine.scope.find(value.name) if isinstance(value, tree.Name) else None
        return found is not None and found.role == "constant"

    def _elemental(self, name: str, converted: str, given: list[Given], expression: tree.Apply) -> Code:
        result = self.routine.typed(expression).type
        if not converted:
            return self.elementals.call(name, given, result, expression.line)
        inner = given[0].type
        code = self.elementals.call(name, given, inner, expression.line)
        return self.emitter.expressions.cast(code, inner, _CONVERTED[converted], expression.line)

    def _object(self, expression: tree.Expression) -> str:
        return self.emitter.elements.object(expression).text

    def _stored(self, expression: tree.Expression) -> str:
        """Return an array that has its elements in memory."""
        text = self._object(expression)
        return f"fortran::evaluated({text})" if text.startswith("fortran::elements") else text

    def _scalar(self, expression: tree.Expression) -> str:
        return self.emitter.expressions.scalar(expression).text

    def _reduction(self, name: str, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        first = given.get("array") or given.get("mask" if name in ("any", "all", "count") else "x")
        assert first is not None
        dim, mask = given.get("dim"), given.get("mask") if "array" in given else None
        if dim is not None and self.routine.typed(dim).type.base == "logical":
            dim, mask = None, dim
        arguments = [self._object(first)]
        if dim is not None and self.routine.typed(first).rank > 1:
            if mask is not None or name == "norm2":
                raise self.routine.refused(f"`{name}` along a dimension with a mask", expression.line)
            return call(f"fortran::{name}_along", *arguments, self._scalar(dim))
        if mask is not None:
            arguments.append(self._object(mask) if self.routine.typed(mask).rank else self._scalar(mask))
        return call(f"fortran::{name}", *arguments)

    def _location(self, name: str, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        first, dim, mask = given["array"], given.get("dim"), given.get("mask")
        if dim is not None and self.routine.typed(dim).type.base == "logical":
            dim, mask = None, dim
        if "kind" in given:
            raise self.routine.refused(f"`{name}` with a kind", expression.line)
        if name == "findloc":
            if mask is not None or (dim is not None and self.routine.typed(first).rank > 1):
                raise self.routine.refused("`findloc` with a mask or a dimension", expression.line)
            back = [self._scalar(given["back"])] if "back" in given else []
            return call("fortran::findloc", self._object(first), self._scalar(given["value"]), *back)
        if dim is not None and self.routine.typed(first).rank > 1:
            if mask is not None:
                raise self.routine.refused(f"`{name}` along a dimension with a mask", expression.line)
            return call(f"fortran::{name}_along", self._object(first), self._scalar(dim))
        arguments = [self._object(first)]
        if mask is not None:
            arguments.append(self._object(mask) if self.routine.typed(mask).rank else self._scalar(mask))
        elif "back" in given:
            arguments.append("fortran::detail::every{}")
        if "back" in given:
            arguments.append(self._scalar(given["back"]))
        return call(f"fortran::{name}", *arguments)

    def _rearranged(self, name: str, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        values = [item.value for item in expression.arguments]
        if name == "matmul":
            if self.routine.typed(values[0]).type.base == "logical":
                raise self.routine.refused("`matmul` of logical values", expression.line)
            return call("fortran::matmul", *(self._stored(item) for item in values))
        if name == "transpose":
            return call("fortran::transpose", self._object(values[0]))
        if name == "reshape":
            return self._reshape(given, expression)
        if name == "spread":
            if not self.routine.typed(given["source"]).rank:
                raise self.routine.refused("`spread` of a scalar", expression.line)
            rest = (self._scalar(given["dim"]), self._scalar(given["ncopies"]))
            return call("fortran::spread", self._object(given["source"]), *rest)
        if name in ("cshift", "eoshift"):
            return self._shift(name, given, expression)
        if name == "pack":
            mask = given["mask"]
            text = self._object(mask) if self.routine.typed(mask).rank else self._scalar(mask)
            extra = [self._object(given["vector"])] if "vector" in given else []
            return call("fortran::pack", self._object(given["array"]), text, *extra)
        field = given["field"]
        text = self._object(field) if self.routine.typed(field).rank else self._scalar(field)
        return call("fortran::unpack", self._object(given["vector"]), self._object(given["mask"]), text)

    def _shift(self, name: str, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        if self.routine.typed(given["shift"]).rank:
            raise self.routine.refused(f"`{name}` by an array of shifts", expression.line)
        arguments = [self._object(given["array"]), self._scalar(given["shift"])]
        if name == "eoshift":
            of = plain_type(self.routine.typed(given["array"]).type, self.routine.scope, expression.line)
            if "boundary" in given:
                arguments.append(self._scalar(given["boundary"]))
            elif "dim" in given:
                arguments.append(f"{of}{{}}")
        if "dim" in given:
            arguments.append(self._scalar(given["dim"]))
        return call(f"fortran::{name}", *arguments)

    def _reshape(self, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        shape = given["shape"]
        rank = extent_of(shape, self.routine.scope)
        if isinstance(shape, tree.ArrayConstructor):
            extents = ", ".join(self._scalar(item) for item in shape.items)
        else:
            held = self.emitter.elements.held(shape).text
            extents = ", ".join(f"{held}({d + 1})" for d in range(rank))
        if "order" in given:
            order = given["order"]
            if "pad" in given or not isinstance(order, tree.ArrayConstructor):
                raise self.routine.refused("`reshape` with an order and padding", expression.line)
            turned = ", ".join(self._scalar(item) for item in order.items)
            return call(
                f"fortran::reshape_ordered<{rank}>",
                self._object(given["source"]),
                f"{{{extents}}}",
                f"{{{turned}}}",
            )
        pad = [self._object(given["pad"])] if "pad" in given else []
        return call(f"fortran::reshape<{rank}>", self._object(given["source"]), f"{{{extents}}}", *pad)

    def _dot_product(self, expression: tree.Apply) -> Code:
        values = [item.value for item in expression.arguments]
        types = [self.routine.typed(item).type for item in values]
        if types[0].base == "complex":
            if not types[0].same(types[1]):
                raise self.routine.refused("`dot_product` of several types", expression.line)
            return call("fortran::dot_product_conjugate", *(self._object(item) for item in values))
        if types[1].base == "complex":
            raise self.routine.refused("`dot_product` of several types", expression.line)
        return call("fortran::dot_product", *(self._object(item) for item in values))

    def _transfer(self, expression: tree.Apply) -> Code:
        """Return the bits of a number as another number of the same size."""
        types = [self.routine.typed(item.value) for item in expression.arguments]
        sizes = {what.type.kind * (2 if what.type.base == "complex" else 1) for what in types}
        plain_numbers = all(
            what.type.base in ("integer", "real", "complex") and not what.rank for what in types
        )
        if len(types) != 2 or len(sizes) != 1 or not plain_numbers:
            raise self.routine.refused("`transfer` of other than numbers of one size", expression.line)
        of = plain_type(types[1].type, self.routine.scope, expression.line)
        return call(f"fortran::transfer<{of}>", self._scalar(expression.arguments[0].value))

    def _openmp(self, name: str, expression: tree.Apply) -> Code:
        arguments = [self._scalar(item.value) for item in expression.arguments]
        if name == "omp_test_lock":
            return Code(f"omp_test_lock(&{arguments[0]}) != 0", Binding.EQUAL)
        code = call(name, *arguments)
        return Code(f"{code.text} != 0", Binding.EQUAL) if name in _LOGICAL_RESULTS else code

    def _inquiry(self, name: str, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        first = expression.arguments[0].value
        if name in ("kind", "selected_int_kind", "selected_real_kind"):
            value = (
                fold(expression, self.routine.scope)
                if name != "kind"
                else self.routine.typed(first).type.kind
            )
            if value is None:
                raise self.routine.refused(f"`{name}` of what is no constant", expression.line)
            return Code(str(value))
        of = self.routine.typed(first).type
        if name in ("allocated", "associated", "present"):
            return self._state(name, expression)
        if name == "len":
            constant = fold(of.length, self.routine.scope)
            return Code(str(constant)) if constant is not None else self._length(first)
        if name in _LIMITS:
            named = plain_type(of, self.routine.scope, expression.line)
            return Code(f"std::numeric_limits<{named}>::{_LIMITS[name]}()")
        if name in ("size", "lbound", "ubound"):
            return self._bound(name, given, expression)
        if name in ("bit_size", "storage_size"):
            return Code(str(of.kind * 8))
        if name == "radix":
            return Code("2")
        if of.base == "integer":
            model = {"digits": of.kind * 8 - 1, "range": _INTEGER_RANGES[of.kind]}
        else:
            model = _REAL_MODELS[of.kind]
        if name not in model:
            raise self.routine.refused(f"the function `{name}`", expression.line)
        return Code(str(model[name]))

    def _length(self, first: tree.Expression) -> Code:
        if self.routine.typed(first).rank:
            symbol = symbol_of(first, self.routine.scope)
            if symbol is not None and symbol.dummy and is_assumed(symbol.type):
                return Code(f"{plain(symbol.spelling)}_length")
            raise self.routine.refused("`len` of an array of texts of unknown length", first.line)
        return call("fortran::length", self._scalar(first))

    def _bound(self, name: str, given: dict[str, tree.Expression], expression: tree.Apply) -> Code:
        array, dim = given["array"], given.get("dim")
        object_text = self.emitter.elements.object(array).within(Binding.PRIMARY)
        if name == "size" and dim is None:
            code = call("fortran::size", object_text)
        else:
            assert dim is not None
            part = {"size": "extent", "lbound": "lower", "ubound": "upper"}[name]
            code = Code(f"{object_text}.{part}({self._scalar(dim)})")
        return self.emitter.expressions.cast(code, INTEGER, self._result(given), expression.line)

    def _result(self, given: dict[str, tree.Expression]) -> Type:
        kind = fold(given.get("kind"), self.routine.scope) or 4
        return Type("integer", kind)

    def _state(self, name: str, expression: tree.Apply) -> Code:
        first = expression.arguments[0].value
        symbol = symbol_of(first, self.routine.scope)
        assert symbol is not None
        whole = self.emitter.expressions.whole(first).within(Binding.PRIMARY)
        if name == "present":
            return Code(f"{whole}.present()")
        if name == "allocated":
            return Code(f"{whole}.allocated()")
        if len(expression.arguments) == 1:
            return (
                Code(f"{whole}.associated()") if symbol.rank else Code(f"{whole} != nullptr", Binding.EQUAL)
            )
        other = expression.arguments[1].value
        if symbol.rank:
            target = self.emitter.elements.object(other)
            if target.text.startswith("fortran::elements"):
                raise self.routine.refused("`associated` with an expression", expression.line)
            return call("fortran::associated", whole, f"fortran::whole({target.text})")
        there = symbol_of(other, self.routine.scope)
        pointer = self.emitter.expressions.whole(other) if there is not None and there.pointer else None
        address = (
            pointer.text
            if pointer is not None
            else f"&{self.emitter.expressions.reference(other).within(Binding.UNARY)}"
        )
        if there is not None and there.pointer:
            return Code(f"{whole} != nullptr && {whole} == {address}", Binding.AND)
        return Code(f"{whole} == {address}", Binding.EQUAL)
