"""Input and output statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.symbols import Type
from transpile.translators.fortran.code import Binding
from transpile.translators.fortran.expressions import quoted

if TYPE_CHECKING:
    from transpile.translators.fortran.emitter import Emitter

_INQUIRIES = ("exist", "opened")


class Transfers:
    """Writes `print`, `write`, `read` and what is done with files."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.routine = emitter.routine

    def transfer(self, statement: tree.Transfer) -> list[str]:
        """Return the lines of a statement that moves data.

        Raises:
            Refused: Where it is unformatted, or has options that we do not know.
        """
        if not statement.formatted:
            raise self.routine.refused("unformatted input or output", statement.line)
        stream = self._stream(statement)
        jumps = [item for item in statement.options if item.keyword in ("end", "err", "eor")]
        status = next((item.value for item in statement.options if item.keyword == "iostat"), None)
        name = self.routine.fresh("status") if jumps and status is None else ""
        if name:
            self.routine.pre.append(f"int {name} = 0;")
            stream += f".status({name})"
        mark = ">>" if statement.kind == "read" else "<<"
        plain = not any(isinstance(item, tree.ImpliedDo) for item in statement.items)
        if plain:
            items = "".join(f" {mark} {self.item(item, statement.kind)}" for item in statement.items)
            lines = [f"{stream}{items};"]
        else:
            lines = self._with_loops(stream, mark, statement)
        if jumps:
            variable = name or (self.emitter.expressions.reference(status).text if status is not None else "")
            for item in jumps:
                assert isinstance(item.value, tree.Integer)
                condition = {"end": "< 0", "err": "> 0", "eor": "== -2"}[item.keyword]
                label = self.emitter.statements.label(str(item.value.value))
                lines.append(f"if ({variable} {condition}) goto {label};")
        return lines

    def _with_loops(self, stream: str, mark: str, statement: tree.Transfer) -> list[str]:
        head, _, options = stream.partition(").")
        name = "in" if statement.kind == "read" else "out"
        name = name if name not in self.routine.taken else self.routine.fresh(name)
        kind = "Input" if statement.kind == "read" else "Output"
        lines = ["{", f"    fortran::{kind} {name}{self._constructor_arguments(stream)};"]
        tail = self._option_calls(stream)
        if tail:
            lines.append(f"    {name}{tail};")
        del head, options
        for item in statement.items:
            lines += [f"    {line}" for line in self._looped(item, name, mark, statement.kind)]
        lines.append("}")
        return lines

    def _constructor_arguments(self, stream: str) -> str:
        """Return the parenthesized arguments of the object behind a stream."""
        inside, _ = _split_call(stream)
        if stream.startswith("fortran::print"):
            return f"(6, {inside})" if inside else "(6)"
        return f"({inside})"

    def _option_calls(self, stream: str) -> str:
        return _split_call(stream)[1]

    def _looped(self, item: tree.Expression, name: str, mark: str, kind: str) -> list[str]:
        if not isinstance(item, tree.ImpliedDo):
            with self.routine.separate() as pre:
                text = self.item(item, kind)
            return [*pre, f"{name} {mark} {text};"]
        with self.emitter.statements.implied_loop(item.loop) as head:
            lines = [f"{head} {{"]
            for inner in item.items:
                lines += [f"    {line}" for line in self._looped(inner, name, mark, kind)]
        return [*lines, "}"]

    def _stream(self, statement: tree.Transfer) -> str:
        """Return the object that items are written to or read from."""
        form = self.format(statement.format)
        arguments = []
        function = "print"
        if statement.kind == "read":
            function = "read"
            arguments.append(self._unit(statement.unit) if statement.unit is not None else "5")
        elif statement.unit is not None:
            function = "write"
            arguments.append(self._unit(statement.unit, written=True))
        if form:
            arguments.append(form)
        text = f"fortran::{function}({', '.join(arguments)})"
        for item in statement.options:
            if item.keyword == "advance":
                text += f".advance({self.emitter.expressions.scalar(item.value).text})"
            elif item.keyword == "iostat":
                text += f".status({self.emitter.expressions.reference(item.value).text})"
            elif item.keyword not in ("end", "err", "eor", "iomsg"):
                raise self.routine.refused(
                    f"the option `{item.keyword}` of `{statement.kind}`", statement.line
                )
        return text

    def _unit(self, unit: tree.Expression, *, written: bool = False) -> str:
        what = self.routine.typed(unit)
        if what.type.base == "character" and what.rank:
            if not written:
                raise self.routine.refused("reading from an array of texts", unit.line)
            code = self.emitter.elements.object(unit).text
            return code if ".section(" in code else f"{code}.view()"
        return self.emitter.expressions.scalar(unit).text

    def format(self, form: tree.Expression | None) -> str:
        """Return a format; nothing for list-directed transfer."""
        if form is None:
            return ""
        if isinstance(form, tree.Integer):
            found = self.routine.formats.get(str(form.value))
            if found is None:
                raise self.routine.refused(f"the format {form.value} is not found", form.line)
            return quoted(found)
        if self.routine.typed(form).type.base != "character" or self.routine.typed(form).rank:
            raise self.routine.refused("a format that is no text", form.line)
        return self.emitter.expressions.scalar(form).text

    def item(self, item: tree.Expression, kind: str) -> str:
        """Return an item of a list."""
        what = self.routine.typed(item)
        if what.type.base == "derived":
            return self._structure(item, what.type, kind)
        if what.type.base in ("procedure", "none", "bits"):
            raise self.routine.refused("an item without a type", item.line)
        if what.rank:
            code = self.emitter.elements.object(item)
            if kind == "read" and code.text.startswith("fortran::elements"):
                raise self.routine.refused("an expression as an item of `read`", item.line)
            return code.text
        code = self.emitter.expressions.scalar(item)
        if kind == "read" and not isinstance(item, (tree.Name, tree.Member, tree.Apply)):
            raise self.routine.refused("an expression as an item of `read`", item.line)
        return code.within(Binding.ADD)

    def _structure(self, item: tree.Expression, of: Type, kind: str) -> str:
        if self.routine.typed(item).rank or of.derived is None:
            raise self.routine.refused("an array of a derived type as an item", item.line)
        mark = ">>" if kind == "read" else "<<"
        parts = [
            self.item(tree.Member(item.line, item, component.name), kind)
            for component in of.derived.all_components()
        ]
        if any(component.pointer for component in of.derived.all_components()):
            raise self.routine.refused("a derived type with pointers as an item", item.line)
        return f" {mark} ".join(parts)

    # -- files -----------------------------------------------------------------------------------------------

    def file(self, statement: tree.FileStatement) -> list[str]:
        """Return the lines of a statement about a file."""
        given = {item.keyword: item.value for item in statement.options}
        handler = {"open": self._open, "close": self._close, "inquire": self._inquire}.get(statement.kind)
        if handler is not None:
            return handler(given, statement.line)
        if statement.kind in ("rewind", "flush") and set(given) <= {"unit", "iostat"}:
            unit = self.emitter.expressions.scalar(given["unit"]).text if "unit" in given else "6"
            return [f"fortran::{statement.kind}({unit});", *self._success(given)]
        raise self.routine.refused(f"`{statement.kind}`", statement.line)

    def _open(self, given: dict[str, tree.Expression], line: int) -> list[str]:
        fields = []
        for name in ("file", "status", "action", "position"):
            if name in given:
                fields.append(f"std::string({self.emitter.expressions.scalar(given[name]).text})")
            else:
                fields.append('""')
        if "iostat" in given:
            fields.append(f"&{self.emitter.expressions.reference(given['iostat']).text}")
        self._formatted(given, line)
        known = {
            "unit",
            "file",
            "status",
            "action",
            "position",
            "iostat",
            "form",
            "access",
            "newunit",
            "iomsg",
            "recl",
        }
        unknown = set(given) - known
        if unknown:
            raise self.routine.refused(f"the option `{min(unknown)}` of `open`", line)
        lines = []
        unit = given.get("unit")
        if "newunit" in given:
            unit = given["newunit"]
            lines.append(f"{self.emitter.expressions.reference(unit).text} = fortran::new_unit();")
        if unit is None:
            raise self.routine.refused("`open` without a unit", line)
        lines.append(f"fortran::open({self.emitter.expressions.scalar(unit).text}, {{{', '.join(fields)}}});")
        return lines

    def _formatted(self, given: dict[str, tree.Expression], line: int) -> None:
        for name, allowed in (("form", "formatted"), ("access", "sequential")):
            value = given.get(name)
            if value is None:
                continue
            if not isinstance(value, tree.String) or value.value.strip().lower() != allowed:
                raise self.routine.refused(f"`open` with {name} other than {allowed}", line)

    def _close(self, given: dict[str, tree.Expression], line: int) -> list[str]:
        unknown = set(given) - {"unit", "status", "iostat"}
        if unknown:
            raise self.routine.refused(f"the option `{min(unknown)}` of `close`", line)
        extra = f", {self.emitter.expressions.scalar(given['status']).text}" if "status" in given else ""
        unit = self.emitter.expressions.scalar(given["unit"]).text
        return [f"fortran::close({unit}{extra});", *self._success(given)]

    def _success(self, given: dict[str, tree.Expression]) -> list[str]:
        """Return the line that says that a statement succeeded, where somebody asks."""
        if "iostat" not in given:
            return []
        return [f"{self.emitter.expressions.reference(given['iostat']).text} = 0;"]

    def _inquire(self, given: dict[str, tree.Expression], line: int) -> list[str]:
        lines = []
        for name, value in given.items():
            if name in ("unit", "file"):
                continue
            if name not in _INQUIRIES or (name == "exist") != ("file" in given):
                raise self.routine.refused(f"the option `{name}` of `inquire`", line)
            target = self.emitter.expressions.reference(value).text
            if name == "exist":
                lines.append(
                    f"{target} = fortran::file_exists({self.emitter.expressions.scalar(given['file']).text});"
                )
            else:
                lines.append(
                    f"{target} = fortran::is_open({self.emitter.expressions.scalar(given['unit']).text});"
                )
        return lines


def _split_call(stream: str) -> tuple[str, str]:
    """Return what stands in the first parentheses of a text, and what follows them."""
    start = stream.index("(")
    depth, quote, at = 0, False, start
    while at < len(stream):
        letter = stream[at]
        if quote:
            if letter == "\\":
                at += 1
            elif letter == '"':
                quote = False
        elif letter == '"':
            quote = True
        elif letter == "(":
            depth += 1
        elif letter == ")":
            depth -= 1
            if not depth:
                break
        at += 1
    return stream[start + 1 : at], stream[at + 1 :]
