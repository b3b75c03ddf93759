"""Elemental intrinsic functions, given their arguments as C++."""

from __future__ import annotations

from dataclasses import dataclass

from transpile.parsers.fortran.symbols import INTEGER, Type
from transpile.translators.fortran.code import Binding, Code, call, join
from transpile.translators.fortran.expressions import Expressions
from transpile.translators.fortran.types import plain_type

_STANDARD = {
    **{name: f"std::{name}" for name in (
        "sqrt", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "asinh", "acosh", "atanh", "erf", "erfc", "hypot", "abs",
    )},
    "gamma": "std::tgamma",
    "log_gamma": "std::lgamma",
    "bessel_j0": "::j0", "bessel_j1": "::j1", "bessel_y0": "::y0", "bessel_y1": "::y1",
    "fraction": "fortran::fraction",
    "spacing": "fortran::spacing",
    "nearest": "fortran::nearest",
    "conjg": "std::conj",
    "atan2": "std::atan2",
}  # fmt: skip
_TEXTS = {
    "len_trim": "fortran::length_trimmed",
    "adjustl": "fortran::adjust_left",
    "adjustr": "fortran::adjust_right",
    "index": "fortran::index",
    "scan": "fortran::scan",
    "verify": "fortran::verify",
    "ichar": "fortran::code",
    "iachar": "fortran::code",
    "char": "fortran::character",
    "achar": "fortran::character",
}
_COMPARISONS = {"lge": ">=", "lgt": ">", "lle": "<=", "llt": "<"}
_BITS = {
    "ishft": "fortran::shift",
    "ishftc": "fortran::circular_shift",
    "ibits": "fortran::bits",
    "ibset": "fortran::bit_set",
    "ibclr": "fortran::bit_clear",
    "btest": "fortran::bit_test",
    "shiftl": "fortran::shift",
    "popcnt": "fortran::set_bits",
    "leadz": "fortran::leading_zeros",
    "trailz": "fortran::trailing_zeros",
}
_ROUNDINGS = {"nint": "fortran::nint", "floor": "fortran::floor", "ceiling": "fortran::ceiling"}
_SINGLE_BESSEL = "bessel"


@dataclass(frozen=True, slots=True)
class Given:
    """An argument: its code, its type and its keyword."""

    code: Code
    type: Type
    keyword: str = ""
    loaded: bool = False
    """Whether it is a variable or an element, and not computed."""


class Elemental:
    """Writes calls of elemental intrinsic functions."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.routine = expressions.routine

    def call(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        """Return a call.

        Raises:
            Refused: Where we have no translation.
        """
        for table, writer in (
            (_TEXTS, self._text),
            (_COMPARISONS, self._compare),
            (_BITS, self._bits),
            (_ROUNDINGS, self._round),
            (_STANDARD, self._standard),
        ):
            if name in table:
                return writer(name, given, result, line)
        method = _OTHERS.get(name)
        if method is None:
            raise self.routine.refused(f"the function `{name}`", line)
        return method(self, name, given, result, line)

    def _cast(self, item: Given, to: Type, line: int) -> Code:
        return self.expressions.cast(item.code, item.type, to, line)

    def _name(self, of: Type, line: int) -> str:
        return plain_type(of, self.routine.scope, line)

    def _text(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        given = [item for item in given if item.keyword != "kind"]
        if name in ("index", "scan", "verify") and len(given) > 3:
            given = given[:3]
        code = call(_TEXTS[name], *(item.code.text for item in given))
        return self.expressions.cast(code, INTEGER, result, line) if result.base == "integer" else code

    def _compare(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        texts = ", ".join(item.code.text for item in given)
        return Code(f"fortran::compare({texts}) {_COMPARISONS[name]} 0", Binding.LESS)

    def _bits(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        first = given[0]
        if first.type.base == "bits":
            raise self.routine.refused(f"`{name}` of a literal without a type", line)
        rest = [self._cast(item, INTEGER, line).text for item in given[1:]]
        return call(
            _BITS[name],
            first.code.text if not first.code.text.isdigit() else f"int{{{first.code.text}}}",
            *rest,
        )

    def _round(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        if given[0].type.base != "real":
            return self._cast(given[0], result, line)
        of = "" if result.kind == 4 else f"<{self._name(result, line)}>"
        return call(_ROUNDINGS[name] + of, given[0].code.text)

    def _standard(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        if name == "atan" and len(given) == 2:
            name = "atan2"
        if name.startswith(_SINGLE_BESSEL) and result.kind == 4:
            return call(_STANDARD[name] + "f", given[0].code.text)
        if name == "abs" and result.base == "integer" and result.kind < 4:
            return Code(f"static_cast<{self._name(result, line)}>(std::abs({given[0].code.text}))")
        if any(item.type.base == "integer" for item in given) and result.base != "integer":
            raise self.routine.refused(f"`{name}` of an integer", line)
        if len({item.type.kind for item in given}) > 1:
            raise self.routine.refused(f"`{name}` of several kinds", line)
        return call(_STANDARD[name], *(item.code.text for item in given))

    def _mod(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        first, second = given[:2]
        common = first.type if first.type.kind >= second.type.kind else second.type
        if name == "mod" and result.base == "integer":
            code = join(first.code, "%", second.code, Binding.TIMES)
            return code if common.kind >= 4 else Code(f"static_cast<{self._name(common, line)}>({code.text})")
        function = "std::fmod" if name == "mod" else f"fortran::{name}"
        parts = [self._cast(item, common, line).text for item in (first, second)]
        return call(function, *parts)

    def _extreme(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        if result.base == "character":
            raise self.routine.refused(f"`{name}` of texts", line)
        parts = [self._cast(item, result, line).text for item in given]
        if result.base == "real":
            return self._real_extreme(name, given, parts)
        if len(parts) > 2:
            return call(f"std::{name}", f"{{{', '.join(parts)}}}")
        return call(
            f"std::{name}" if result.kind == 4 else f"std::{name}<{self._name(result, line)}>", *parts
        )

    def _real_extreme(self, name: str, given: list[Given], parts: list[str]) -> Code:
        """Return an extreme of real numbers.

        Of zeros of both signs, and where one is no number, gfortran takes what its instruction does: the
        second where that is loaded, the first where the second is computed.
        """
        code = Code(parts[0])
        for item, part in zip(given[1:], parts[1:], strict=True):
            code = call(f"fortran::{name}" if item.loaded else f"std::{name}", code.text, part)
        return code

    def _merge(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        by_name = {item.keyword: item for item in given if item.keyword}
        positional = [item for item in given if not item.keyword]
        names = ("tsource", "fsource", "mask")
        first, second, mask = (by_name.get(key) or positional[at] for at, key in enumerate(names))
        left, right = first.code, second.code
        if result.base == "character":
            left, right = call("std::string", left.text), call("std::string", right.text)
        parts = [item.within(Binding.OR) for item in (mask.code, left, right)]
        return Code(f"{parts[0]} ? {parts[1]} : {parts[2]}", Binding.CONDITIONAL)

    def _convert(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        first = given[0]
        if name in ("aint", "anint"):
            function = "std::trunc" if name == "aint" else "std::round"
            return self.expressions.cast(call(function, first.code.text), first.type, result, line)
        if name == "aimag":
            return Code(f"{first.code.within(Binding.PRIMARY)}.imag()")
        if first.type.base == "bits" and result.base == "integer":
            return Code(f"static_cast<{self._name(result, line)}>({first.code.text}u)")
        if first.type.base == "bits":
            raise self.routine.refused(f"`{name}` of a bit pattern", line)
        if name in ("real", "dble") and first.type.base == "complex":
            return self.expressions.cast(
                Code(f"{first.code.within(Binding.PRIMARY)}.real()"),
                Type("real", first.type.kind),
                result,
                line,
            )
        return self._cast(first, result, line)

    def _complex(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        values = [item for item in given if item.keyword != "kind"][:2]
        if values[0].type.base == "complex":
            return self._cast(values[0], result, line)
        part = Type("real", result.kind)
        parts = [self._cast(item, part, line).text for item in values]
        return call(self._name(result, line), *parts)

    def _bitwise(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        parts = [item.code.within(Binding.ADD) for item in given]
        if name == "not":
            code = Code(f"~{given[0].code.within(Binding.UNARY)}", Binding.UNARY)
        else:
            word = {"iand": "&", "ior": "|", "ieor": "^"}[name]
            code = Code(f"({parts[0]} {word} {parts[1]})")
        if result.kind < 4 or any(item.type.base == "bits" for item in given):
            return Code(f"static_cast<{self._name(result, line)}>({code.text})")
        return code

    def _sign_or_dim(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        parts = [self._cast(item, result, line).text for item in given[:2]]
        if name == "sign" and result.base == "real":
            return call("std::copysign", *parts)
        return call(f"fortran::{name}", *parts)

    def _right_shift(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        by = given[1].code.within(Binding.UNARY)
        if name == "shifta":
            return Code(f"({given[0].code.within(Binding.ADD)} >> {by})")
        return call("fortran::shift", given[0].code.text, f"-{by}")

    def _scale(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        return call("std::ldexp", given[0].code.text, given[1].code.text)

    def _test(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        function = "std::isfinite" if name == "ieee_is_finite" else "std::isnan"
        return call(function, given[0].code.text)

    def _supported(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        return Code("true")

    def _exponent(self, name: str, given: list[Given], result: Type, line: int) -> Code:
        return call("fortran::exponent", given[0].code.text)


_OTHERS = {
    **dict.fromkeys(("mod", "modulo"), Elemental._mod),
    **dict.fromkeys(("max", "min"), Elemental._extreme),
    "merge": Elemental._merge,
    **dict.fromkeys(("int", "real", "dble", "aint", "anint", "aimag", "logical"), Elemental._convert),
    **dict.fromkeys(("cmplx", "dcmplx", "complex"), Elemental._complex),
    **dict.fromkeys(("iand", "ior", "ieor", "not"), Elemental._bitwise),
    **dict.fromkeys(("sign", "dim"), Elemental._sign_or_dim),
    **dict.fromkeys(("shiftr", "shifta"), Elemental._right_shift),
    "scale": Elemental._scale,
    **dict.fromkeys(("isnan", "ieee_is_nan", "ieee_is_finite"), Elemental._test),
    **dict.fromkeys(("ieee_support_inf", "ieee_support_nan"), Elemental._supported),
    "exponent": Elemental._exponent,
}
