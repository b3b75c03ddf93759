"""Names of Fortran as names of C++."""

from __future__ import annotations

_WORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class
compl const constexpr const_cast continue decltype default delete do double dynamic_cast else enum
explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not
not_eq nullptr operator or or_eq private protected public register reinterpret_cast return short signed
sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq"""
_MACROS = """
stdin stdout stderr errno assert NULL EOF BUFSIZ INFINITY NAN HUGE_VAL RAND_MAX isnan isinf signbit
linux unix major minor makedev I M_PI M_E complex"""
_TAKEN = """fortran std main"""
_GLOBAL = """
abs acos acosh asin asinh atan atan2 atanh abort access acct alarm atof atoi atol bcmp bcopy brk bsearch
bzero calloc cbrt ceil chdir chmod chown clock close confstr copysign cos cosh crypt ctermid daemon
daylight difftime div drand48 dup dup2 ecvt encrypt erand48 erf erfc exit exp exp2 expm1 fabs fdim ffs
finite floor fma fmax fmin fmod fork free frexp fsync gamma gcvt getc getenv getopt getpid getw hypot
ilogb index isalpha isatty j0 j1 jn jrand48 kill labs ldexp lgamma link llabs llrint llround log log10
log1p log2 logb lrand48 lrint lround lseek malloc memcpy memset mktemp modf mrand48 nan nearbyint
nextafter nice open optarg optind pause pipe pow printf putc puts qsort raise rand random read realloc
remainder remove remquo rename rewind rindex rint round scalbn scanf select setbuf signal significand
sin sinh sleep sqrt srand stime strcat strcmp strcpy strlen sync syscall system tan tanh tgamma time
times timezone trunc truncate ttyname unlink usleep vfork wait write y0 y1 yn environ basename dirname
drem exp10 pow10 dprintf getline swab step advance fcvt data size begin end"""
RESERVED = frozenset((*_WORDS.split(), *_MACROS.split(), *_TAKEN.split()))
GLOBAL = frozenset(_GLOBAL.split())


def plain(spelling: str) -> str:
    """Return a name as C++ may use it: upper case alone becomes lower case."""
    name = spelling.lower() if spelling.isupper() else spelling
    return f"{name}_" if name in RESERVED else name


def at_file_scope(spelling: str) -> str:
    """Return a name for what stands outside all namespaces, where the C library has names too."""
    name = plain(spelling)
    return f"{name}_" if name in GLOBAL else name
