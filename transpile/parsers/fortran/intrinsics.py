"""Intrinsic functions of Fortran: what type and rank their results have."""

from __future__ import annotations

SPECIFIC: dict[str, tuple[str, str]] = {
    "dabs": ("abs", ""), "iabs": ("abs", ""), "cabs": ("abs", ""), "cdabs": ("abs", ""),
    "zabs": ("abs", ""), "dsqrt": ("sqrt", ""), "csqrt": ("sqrt", ""), "zsqrt": ("sqrt", ""),
    "cdsqrt": ("sqrt", ""), "dexp": ("exp", ""), "cexp": ("exp", ""), "zexp": ("exp", ""),
    "cdexp": ("exp", ""), "dlog": ("log", ""), "alog": ("log", ""), "clog": ("log", ""),
    "zlog": ("log", ""), "dlog10": ("log10", ""), "alog10": ("log10", ""), "dsin": ("sin", ""),
    "csin": ("sin", ""), "dcos": ("cos", ""), "ccos": ("cos", ""), "dtan": ("tan", ""),
    "dasin": ("asin", ""), "dacos": ("acos", ""), "datan": ("atan", ""), "datan2": ("atan2", ""),
    "dsinh": ("sinh", ""), "dcosh": ("cosh", ""), "dtanh": ("tanh", ""), "dmod": ("mod", ""),
    "amod": ("mod", ""), "dsign": ("sign", ""), "isign": ("sign", ""), "ddim": ("dim", ""),
    "idim": ("dim", ""), "dint": ("aint", ""), "dnint": ("anint", ""), "idnint": ("nint", ""),
    "dconjg": ("conjg", ""), "dimag": ("aimag", ""), "imag": ("aimag", ""), "max0": ("max", ""),
    "amax1": ("max", ""), "dmax1": ("max", ""), "max1": ("max", "int"), "amax0": ("max", "real"),
    "min0": ("min", ""), "amin1": ("min", ""), "dmin1": ("min", ""), "min1": ("min", "int"),
    "amin0": ("min", "real"), "float": ("real", ""), "sngl": ("real", ""), "dfloat": ("dble", ""),
    "dreal": ("dble", ""), "ifix": ("int", ""), "idint": ("int", ""), "derf": ("erf", ""),
    "derfc": ("erfc", ""), "dgamma": ("gamma", ""), "dlgama": ("log_gamma", ""),
    "algama": ("log_gamma", ""), "lge_": ("lge", ""),
}  # fmt: skip
"""Specific names: the generic one, and to what the result is converted."""

LIKE_FIRST = frozenset(
    [
        "abs",
        "sqrt",
        "exp",
        "log",
        "log10",
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "atan2",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "mod",
        "modulo",
        "sign",
        "dim",
        "conjg",
        "max",
        "min",
        "merge",
        "not",
        "iand",
        "ior",
        "ieor",
        "ishft",
        "ishftc",
        "ibits",
        "ibset",
        "ibclr",
        "shiftl",
        "shiftr",
        "shifta",
        "erf",
        "erfc",
        "gamma",
        "log_gamma",
        "hypot",
        "bessel_j0",
        "bessel_j1",
        "bessel_y0",
        "bessel_y1",
        "fraction",
        "spacing",
        "rrspacing",
        "nearest",
        "scale",
        "set_exponent",
        "adjustl",
        "adjustr",
    ]
)
"""Elemental functions whose result is of the type of the first argument (of its parts for `abs`)."""

TO_INTEGER = frozenset(
    [
        "int",
        "nint",
        "floor",
        "ceiling",
        "ichar",
        "iachar",
        "index",
        "scan",
        "verify",
        "len_trim",
        "exponent",
        "popcnt",
        "leadz",
        "trailz",
    ]
)
TO_REAL = frozenset(["real", "dble", "aimag", "aint", "anint"])
TO_LOGICAL = frozenset(
    [
        *("logical", "btest", "lge", "lgt", "lle", "llt", "isnan", "ieee_is_nan", "ieee_is_finite"),
        *("ieee_support_inf", "ieee_support_nan"),
    ]
)
ELEMENTAL = LIKE_FIRST | TO_INTEGER | TO_REAL | TO_LOGICAL | {"cmplx", "dcmplx", "complex", "char", "achar"}

REDUCTIONS = frozenset(["sum", "product", "maxval", "minval", "any", "all", "count", "norm2"])
LOCATIONS = frozenset(["maxloc", "minloc", "findloc"])
REARRANGING = frozenset(["reshape", "spread", "transpose", "pack", "unpack", "cshift", "eoshift", "matmul"])
INQUIRIES = frozenset(
    [
        "size",
        "shape",
        "lbound",
        "ubound",
        "len",
        "allocated",
        "associated",
        "present",
        "kind",
        "huge",
        "tiny",
        "epsilon",
        "digits",
        "precision",
        "range",
        "radix",
        "maxexponent",
        "minexponent",
        "bit_size",
        "storage_size",
        "selected_int_kind",
        "selected_real_kind",
    ]
)
OTHERS = frozenset(
    [
        "dot_product",
        "trim",
        "repeat",
        "command_argument_count",
        "iargc",
        "omp_get_thread_num",
        "omp_get_num_threads",
        "omp_get_max_threads",
        "omp_get_wtime",
        "omp_get_num_procs",
        "omp_in_parallel",
        "omp_get_wtick",
        "omp_get_level",
        "omp_get_num_teams",
        "omp_get_team_num",
        "omp_is_initial_device",
        "omp_test_lock",
        "omp_get_num_devices",
        "omp_get_default_device",
        "omp_get_dynamic",
        "omp_get_nested",
        "omp_get_thread_limit",
        "omp_get_max_active_levels",
        "null",
        "transfer",
        "new_line",
    ]
)
FUNCTIONS = ELEMENTAL | REDUCTIONS | LOCATIONS | REARRANGING | INQUIRIES | OTHERS | SPECIFIC.keys()

SUBROUTINES = frozenset(
    [
        "random_number",
        "random_seed",
        "cpu_time",
        "system_clock",
        "date_and_time",
        "get_command_argument",
        "getarg",
        "move_alloc",
        "mvbits",
        "exit",
        "abort",
        "sleep",
        "flush",
        "omp_set_num_threads",
        "omp_init_lock",
        "omp_destroy_lock",
        "omp_set_lock",
        "omp_unset_lock",
        "omp_set_dynamic",
        "omp_set_nested",
        "omp_set_schedule",
        "omp_init_nest_lock",
        "omp_destroy_nest_lock",
        "omp_set_nest_lock",
        "omp_unset_nest_lock",
        "omp_set_max_active_levels",
        "omp_set_default_device",
    ]
)
