"""From trees of files to scopes with symbols: declarations, modules, hosts, interfaces."""

from __future__ import annotations

from collections.abc import Iterable

from transpile.parsers.fortran import tree
from transpile.parsers.fortran.constants import INTRINSIC_MODULES, KINDS, fold
from transpile.parsers.fortran.errors import Refused
from transpile.parsers.fortran.symbols import Derived, Procedure, Scope, Symbol, Type
from transpile.parsers.fortran.walking import walk

_DEFAULT_KINDS = {"integer": 4, "real": 4, "logical": 4, "character": 1, "complex": 4}
_KNOWN_KINDS = {
    "integer": (1, 2, 4, 8),
    "real": (4, 8),
    "complex": (4, 8),
    "logical": (1, 2, 4, 8),
    "character": (1,),
}


class Program:
    """All scopes of a program."""

    def __init__(self) -> None:
        self.root = Scope(None, None, "")
        self.root.rules = None
        self.modules: dict[str, Scope] = {}
        self.units: list[Scope] = []
        """Of every unit, in the order of the text."""
        self.by_unit: dict[int, Scope] = {}
        self.callees: dict[int, tuple[Procedure, ...]] = {}
        """Of each procedure that was asked about, by its identity."""
        self.reached: dict[int, tuple[Symbol, ...]] = {}
        """Of the same, the variables of modules and common blocks that it mentions."""


def resolve(files: Iterable[tree.File]) -> Program:
    """Return the scopes of a program's files.

    Raises:
        Refused: Where a name cannot be resolved.
    """
    program = Program()
    units = [(file, unit) for file in files for unit in file.units]
    for file, unit in units:
        if unit.kind in ("subroutine", "function"):
            scope = Scope(unit, program.root, file.name)
            if unit.name in program.root.symbols:
                raise scope.refused(f"the procedure `{unit.name}` is defined twice", unit.line)
            _declare_procedure(program.root, unit, scope, internal=False)
    for file, unit in _modules_first(units):
        scope = _scope_of(program, file, unit)
        if unit.kind == "module":
            program.modules[unit.name] = scope
        _fill(program, scope)
    for _, unit in units:
        program.units.append(program.by_unit[id(unit)])
    return program


def files_in_order(files: Iterable[tree.File]) -> list[tree.File]:
    """Return files in an order in which modules stand before what uses them."""
    ordered = _modules_first([(file, unit) for file in files for unit in file.units])
    return list({id(file): file for file, _ in ordered}.values())


def _scope_of(program: Program, file: tree.File, unit: tree.Unit) -> Scope:
    """Return the scope of a unit of a file."""
    if unit.kind in ("subroutine", "function"):
        procedure = program.root.symbols[unit.name].procedure
        assert procedure is not None
        scope = procedure.scope
    else:
        scope = Scope(unit, program.root, file.name)
    program.by_unit[id(unit)] = scope
    return scope


def _modules_first(units: list[tuple[tree.File, tree.Unit]]) -> list[tuple[tree.File, tree.Unit]]:
    """Return the units in an order in which modules stand before what uses them."""
    modules = {unit.name: (file, unit) for file, unit in units if unit.kind == "module"}
    ordered: list[tuple[tree.File, tree.Unit]] = []
    open_now: list[str] = []

    def add(file: tree.File, unit: tree.Unit) -> None:
        if any(unit is other for _, other in ordered):
            return
        if unit.name in open_now:
            raise Refused(f"modules use each other: {unit.name}", unit.line, file.name)
        open_now.append(unit.name)
        for name in _used_modules(unit):
            if name in modules and modules[name][1] is not unit:
                add(*modules[name])
        open_now.pop()
        ordered.append((file, unit))

    for file, unit in sorted(units, key=lambda item: item[1].kind != "module"):
        add(file, unit)
    return ordered


def _used_modules(unit: tree.Unit) -> set[str]:
    own = {item.module for item in unit.declarations if isinstance(item, tree.Use)}
    return own.union(*(_used_modules(inner) for inner in unit.procedures))


def _declare_procedure(host: Scope, unit: tree.Unit, scope: Scope, *, internal: bool) -> Symbol:
    """Declare a procedure in its host."""
    symbol = Symbol(unit.name, unit.spelling, "procedure", host, unit.line)
    symbol.procedure = Procedure(unit, scope, internal)
    host.symbols[unit.name] = symbol
    host.procedures.append(symbol.procedure)
    return symbol


def _fill(program: Program, scope: Scope) -> None:
    """Declare everything of a unit, then of the procedures in it."""
    unit = scope.unit
    assert unit is not None
    if scope.parent is not None and scope.parent is not program.root:
        scope.rules = scope.parent.rules
    inner = []
    for child in unit.procedures:
        below = Scope(child, scope, scope.file)
        _declare_procedure(scope, child, below, internal=unit.kind != "module")
        inner.append(below)
    _Filler(program, scope).run()
    for below in inner:
        _fill(program, below)


class _Filler:
    """Declares what the specification part of one unit says."""

    def __init__(self, program: Program, scope: Scope) -> None:
        self.program = program
        self.scope = scope
        self.component_procedures: list[tuple[Symbol, str]] = []

    def run(self) -> None:
        """Declare everything."""
        unit = self.scope.unit
        assert unit is not None
        for item in unit.declarations:
            if isinstance(item, tree.Use):
                self.use(item)
            elif isinstance(item, tree.Implicit):
                self.implicit(item)
        for name in unit.dummies:
            self.symbol(name, name, unit.line).dummy = True
        if unit.kind == "function":
            result = self.symbol(unit.result, unit.result, unit.line)
            if unit.type is not None:
                result.type, result.typed = self.type(unit.type), True
        self.derived_types(unit.declarations)
        for item in unit.declarations:
            self.declare(item)
        for component, interface in self.component_procedures:
            component.role = "procedure"
            found = self.scope.find(interface) if interface else None
            component.procedure = found.procedure if found is not None else None
        self.statement_functions()
        for name in unit.dummies:
            dummy = self.scope.symbols[name]
            if dummy.role == "variable":
                self.scope.own(name, unit.line)
        if unit.kind == "function":
            self.scope.own(unit.result, unit.line)
        self.type_procedures()
        self.measure_constants()

    def measure_constants(self) -> None:
        """Give constants of assumed length or shape that of their values."""
        from transpile.parsers.fortran.typing import typed

        for symbol in self.scope.symbols.values():
            if symbol.role != "constant" or symbol.initial is None:
                continue
            if symbol.type.base == "character" and isinstance(symbol.type.length, tree.Star):
                length = typed(symbol.initial, self.scope).type.length
                if fold(length, self.scope) is None and isinstance(symbol.initial, tree.String):
                    length = tree.Integer(symbol.line, len(symbol.initial.value))
                symbol.type = Type("character", 1, length)
            implied = symbol.dimensions is not None and isinstance(symbol.dimensions[0], tree.Star)
            if implied and isinstance(symbol.initial, tree.ArrayConstructor):
                symbol.dimensions = (tree.Integer(symbol.line, len(symbol.initial.items)),)

    def symbol(self, name: str, spelling: str, line: int) -> Symbol:
        """Return a name of this scope, new where it is not there."""
        if name not in self.scope.symbols:
            self.scope.symbols[name] = Symbol(name, spelling, "variable", self.scope, line)
        return self.scope.symbols[name]

    def use(self, item: tree.Use) -> None:
        """Bring in the names of a module."""
        if item.module in INTRINSIC_MODULES:
            for local, other in item.only or tuple((name, name) for name in KINDS):
                self.intrinsic_constant(local, other)
            return
        module = self.program.modules.get(item.module)
        if module is None:
            raise self.scope.refused(f"the module `{item.module}` is not found", item.line)
        visible = {**module.used, **module.symbols}
        if item.only is not None:
            for local, other in item.only:
                if other not in visible:
                    raise self.scope.refused(f"`{other}` is not in the module `{item.module}`", item.line)
                self.scope.used[local] = visible[other]
            return
        hidden = {other for _, other in item.renamed}
        for name, symbol in visible.items():
            if name not in hidden and "private" not in symbol.attributes:
                self.bring(name, symbol)
        for local, other in item.renamed:
            self.scope.used[local] = visible[other]

    def bring(self, name: str, symbol: Symbol) -> None:
        """Bring in a name; specific procedures of generics of one name are put together."""
        there = self.scope.used.get(name)
        if there is not None and there is not symbol and there.role == symbol.role == "generic":
            merged = Symbol(name, symbol.spelling, "generic", symbol.scope, symbol.line)
            merged.specifics = tuple(dict.fromkeys((*there.specifics, *symbol.specifics)))
            for module in (there.scope, symbol.scope):
                for specific in merged.specifics:
                    found = module.find(specific)
                    if found is not None:
                        self.scope.used.setdefault(specific, found)
            merged.scope = self.scope
            self.scope.used[name] = merged
            return
        self.scope.used[name] = symbol

    def intrinsic_constant(self, local: str, other: str) -> None:
        """Declare a constant of an intrinsic module."""
        if other in KINDS:
            symbol = Symbol(local, local, "constant", self.scope, 0, Type("integer", 4), True)
            symbol.initial = tree.Integer(0, KINDS[other])
            symbol.attributes.add("intrinsic module")
            self.scope.used[local] = symbol

    def implicit(self, item: tree.Implicit) -> None:
        """Set the types of first letters."""
        if not item.rules:
            self.scope.rules = None
            return
        rules = dict(self.scope.rules or {})
        for given, letters in item.rules:
            first, _, last = letters.partition("-")
            for code in range(ord(first), ord(last or first) + 1):
                rules[chr(code)] = self.type(given)
        self.scope.rules = rules

    def derived_types(self, declarations: Iterable[tree.Declaration]) -> None:
        """Declare derived types, then their components, which may be of any of them."""
        own = [item for item in declarations if isinstance(item, tree.DerivedType)]
        for item in own:
            symbol = self.symbol(item.name, item.spelling, item.line)
            symbol.role = "type"
            symbol.derived = Derived(item.name, item.spelling, self.scope, item)
            self.scope.derived.append(symbol.derived)
        self.constants(declarations)
        for item in own:
            derived = self.scope.symbols[item.name].derived
            assert derived is not None
            if item.base:
                derived.parent = self.derived(item.base, item.line)
            for declared in item.components:
                for entity in declared.entities:
                    component = Symbol(entity.name, entity.spelling, "variable", self.scope, entity.line)
                    self.fill(component, declared, entity)
                    if declared.type.base == "procedure":
                        self.component_procedures.append((component, declared.type.name))
                    derived.components[entity.name] = component

    def constants(self, declarations: Iterable[tree.Declaration]) -> None:
        """Declare the constants, on which kinds and bounds of types may depend."""
        for item in declarations:
            if isinstance(item, tree.TypeDeclaration) and "parameter" in item.attributes:
                if item.type.base in ("type", "class"):
                    continue
                self.declare(item)

    def derived(self, name: str, line: int) -> Derived:
        """Return a derived type."""
        symbol = self.scope.find(name)
        if symbol is None or symbol.derived is None:
            raise self.scope.refused(f"the type `{name}` is not found", line)
        return symbol.derived

    def type(self, spec: tree.TypeSpec) -> Type:
        """Return the type that is written."""
        if spec.base in ("type", "class"):
            if spec.name == "*":
                raise self.scope.refused("`class(*)`", spec.line)
            return Type("derived", 0, None, self.derived(spec.name, spec.line), spec.base == "class")
        return written_type(spec, self.scope)

    def fill(self, symbol: Symbol, item: tree.TypeDeclaration, entity: tree.Entity) -> None:
        """Set what a declaration says of a name."""
        if symbol.typed and item.type.base != "procedure" and symbol.role != "procedure":
            raise self.scope.refused(f"`{entity.name}` is declared twice", entity.line)
        symbol.type = self.type(item.type)
        if entity.length is not None:
            symbol.type = Type("character", 1, entity.length)
        symbol.typed = True
        symbol.spelling = entity.spelling
        symbol.line = entity.line
        dimensions = entity.dimensions if entity.dimensions is not None else item.dimensions
        symbol.dimensions = dimensions if dimensions is not None else symbol.dimensions
        symbol.attributes.update(item.attributes)
        symbol.initial = entity.initial
        if "parameter" in item.attributes:
            symbol.role = "constant"
        if {"volatile", "asynchronous", "codimension"} & symbol.attributes:
            symbol.attributes -= {"volatile", "asynchronous"}

    def declare(self, item: tree.Declaration) -> None:
        """Declare what one statement says."""
        match item:
            case tree.TypeDeclaration():
                self.variables(item)
            case tree.AttributeStatement():
                self.attribute(item)
            case tree.ParameterStatement(values=values):
                for name, value in values:
                    symbol = self.symbol(name, name, item.line)
                    if not symbol.typed:
                        self.scope.type_implicitly(symbol, item.line)
                    symbol.role, symbol.initial = "constant", value
            case tree.Common():
                self.common(item)
            case tree.Data():
                self.scope.data.append(item)
                for target in item.targets:
                    self.saved(target)
            case tree.Interface():
                self.interface(item)
            case _:
                pass

    def variables(self, item: tree.TypeDeclaration) -> None:
        """Declare the names of a type declaration."""
        for entity in item.entities:
            there = self.scope.symbols.get(entity.name)
            if there is not None and there.role == "constant" and there.line == entity.line and there.typed:
                continue
            symbol = self.symbol(entity.name, entity.spelling, entity.line)
            if symbol.role == "procedure" and symbol.procedure is not None:
                continue
            self.fill(symbol, item, entity)
            if item.type.base == "procedure" or "external" in item.attributes:
                self.procedure(symbol, item.type.name)

    def procedure(self, symbol: Symbol, interface: str) -> None:
        """Make a name that of a procedure, of which an interface may be known."""
        symbol.role = "procedure"
        found = self.scope.find(interface) if interface else None
        if found is not None:
            symbol.procedure = found.procedure
        elif not symbol.dummy:
            outside = self.program.root.symbols.get(symbol.name)
            symbol.procedure = outside.procedure if outside is not None else None

    def attribute(self, item: tree.AttributeStatement) -> None:
        """Give names an attribute."""
        if not item.entities:
            if item.attribute == "save":
                self.scope.saved = True
            return
        for entity in item.entities:
            if item.attribute in ("private", "public") and entity.name not in self.scope.symbols:
                continue
            symbol = self.symbol(entity.name, entity.spelling, entity.line)
            if entity.dimensions is not None:
                symbol.dimensions = entity.dimensions
            if item.attribute == "external":
                self.procedure(symbol, "")
            elif item.attribute == "intrinsic":
                symbol.role = "intrinsic"
            elif item.attribute != "dimension":
                symbol.attributes.add(item.attribute)

    def common(self, item: tree.Common) -> None:
        """Put names in a common block."""
        block = item.block or "blank"
        for entity in item.entities:
            symbol = self.symbol(entity.name, entity.spelling, entity.line)
            symbol.dimensions = entity.dimensions if entity.dimensions is not None else symbol.dimensions
            symbol.common = block
            self.scope.commons.setdefault(block, []).append(symbol)

    def saved(self, target: tree.Expression) -> None:
        """Note that a variable with initial values keeps its value."""
        base = target
        if isinstance(base, tree.ImpliedDo):
            for inner in base.items:
                self.saved(inner)
            return
        while isinstance(base, (tree.Apply, tree.Member)):
            base = base.base
        if isinstance(base, tree.Name):
            self.symbol(base.name, base.name, base.line).attributes.add("save")

    def interface(self, item: tree.Interface) -> None:
        """Declare an interface block."""
        for body in item.bodies:
            scope = Scope(body, self.scope, self.scope.file)
            scope.rules = dict(Scope(None, None, "").rules or {})
            _Filler(self.program, scope).run()
            symbol = self.symbol(body.name, body.spelling, body.line)
            outside = self.program.root.symbols.get(body.name)
            symbol.role = "procedure"
            if outside is not None and not symbol.dummy and not item.abstract:
                symbol.procedure = outside.procedure
            else:
                symbol.procedure = Procedure(body, scope, interface_only=True)
        if item.name and not item.abstract:
            names = (*item.procedures, *(body.name for body in item.bodies))
            there = self.scope.symbols.get(item.name)
            if there is not None and there.role == "type":
                there.specifics = (*there.specifics, *names)
                return
            generic = self.symbol(item.name, item.name, item.line)
            if generic.role == "procedure" and item.name in names:
                generic.specifics = names
                return
            generic.role = "generic"
            inherited = self.scope.used.get(item.name)
            generic.specifics = (*generic.specifics, *names)
            if inherited is not None and inherited.role == "generic":
                generic.specifics = (*generic.specifics, *inherited.specifics)

    def statement_functions(self) -> None:
        """Find the assignments in front of all statements that define functions."""
        unit = self.scope.unit
        assert unit is not None
        for statement in unit.body:
            if isinstance(statement, (tree.Comment, tree.Format)):
                continue
            if not isinstance(statement, tree.Assign) or not isinstance(statement.target, tree.Apply):
                return
            base, arguments = statement.target.base, statement.target.arguments
            if not isinstance(base, tree.Name) or statement.label:
                return
            symbol = self.scope.symbols.get(base.name)
            known = symbol or self.scope.find(base.name)
            if known is not None and (
                known.rank or known.role != "variable" or known.type.base == "character"
            ):
                return
            names = tuple(item.value.name for item in arguments if isinstance(item.value, tree.Name))
            if len(names) != len(arguments) or (known is not None and known.pointer):
                return
            symbol = self.scope.own(base.name, statement.line)
            symbol.role = "procedure"
            symbol.statement_function = (names, statement.value)
            self.scope.statement_functions.append(symbol)

    def type_procedures(self) -> None:
        """Give external functions whose type alone is declared their procedure."""
        assert self.scope.unit is not None
        applied = {
            node.base.name
            for statement in self.scope.unit.body
            for node in walk(statement)
            if isinstance(node, tree.Apply) and isinstance(node.base, tree.Name)
        }
        for symbol in list(self.scope.symbols.values()):
            if symbol.role != "variable" or symbol.dimensions is not None or symbol.dummy:
                continue
            if symbol.attributes - {"public", "private"} or symbol.initial is not None or symbol.common:
                continue
            unit = self.scope.unit
            if unit is not None and symbol.name in (unit.name, unit.result):
                continue
            outside = self.program.root.symbols.get(symbol.name)
            if outside is None or outside.procedure is None or symbol.name not in applied:
                continue
            if outside.procedure.unit.kind == "function":
                symbol.role, symbol.procedure = "procedure", outside.procedure


def written_type(spec: tree.TypeSpec, scope: Scope) -> Type:
    """Return the intrinsic type that is written."""
    if spec.base == "procedure":
        return Type("procedure")
    kind = 8 if spec.double else _DEFAULT_KINDS[spec.base]
    if spec.kind is not None:
        folded = fold(spec.kind, scope)
        if folded is None:
            raise scope.refused("a kind that is no constant", spec.line)
        kind = folded
    if kind not in _KNOWN_KINDS[spec.base]:
        raise scope.refused(f"the kind {kind} of {spec.base}", spec.line)
    length = spec.length
    if spec.base == "character" and length is None:
        length = tree.Integer(spec.line, 1)
    return Type(spec.base, kind, length)


def fill_block(program: Program, outer: Scope, statement: tree.Block) -> Scope:
    """Return the scope of a block within another."""
    unit = tree.Unit(statement.line, "block", "block", "block", declarations=statement.declarations)
    scope = Scope(unit, outer, outer.file)
    scope.rules = outer.rules
    _Filler(program, scope).run()
    return scope
