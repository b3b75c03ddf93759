"""Host rewriting takes calls of the runtime off, and nothing that else happens where they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from transpile import parsers
from transpile.assemble import Style, probes
from transpile.assemble.configuration import shape_of
from transpile.assemble.host import rewritten
from transpile.assemble.host_code.definitions import Definitions
from transpile.assemble.host_code.tree import of_type, parse

HEAD = """\
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static int calls, failures;
static cudaError_t status;

#define VALUED(call)({ if ((call) != cudaSuccess) { fprintf(stderr, "%d", (call)); exit(1); } })
#define COUNTING(call) ({ failures++; asserted((call), __FILE__, __LINE__); })
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) exit(1); } while (0)
#define COUNTED(call) do { calls++; cudaError_t e_ = (call); if (e_ != cudaSuccess) exit(1); } while (0)
#define NOTED(call, what) if ((status = call) != cudaSuccess) { printf("bad " what); exit(1); }
#define EXPECTED(call) ASSERT_EQ(call, cudaSuccess) << cudaGetErrorString(call)
#define SET(call) status = (call)
#define ASSERTED(call) asserted((call), __FILE__, __LINE__)

inline void asserted(cudaError_t code, const char *file, int line)
{
    if (code == cudaSuccess) return;
    fprintf(stderr, "%s:%d\\n", file, line);
    exit(code);
}
void logged(cudaError_t code, int step)
{
    if (code != cudaSuccess) failures++;
    printf("step %d\\n", step);
}
void shrink(int &n) { n = n / 2; }
static int total;
void grow() { total *= 2; }
void grow_later() { grow(); }
struct Part {
    int size;
    void set(int value) { size = value; }
};
__global__ void use(const Part *part, int *v) { v[threadIdx.x] = part->size; }
int picked() { return calls++; }
int logging(int n) { fputs("logging", stderr); return n; }
namespace std {  // iostream takes longer to parse than all else
struct ostream { ostream &operator<<(const char *); ostream &operator<<(ostream &(*)(ostream &)); };
extern ostream cout, cerr;
ostream &endl(ostream &);
}
int noisy(int n) { std::cerr << "noisy" << std::endl; return n; }
void told(cudaError_t code) { std::cout << "told\\n"; if (code != cudaSuccess) exit(1); }
struct Stream {
    cudaStream_t stream;
    Stream() { puts("begins"); }
    ~Stream() { puts("ends"); }
};
int plain(int n) { return n > 4 ? 1 : 0; }

__global__ void fill(int *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += i;
}

"""


def ported(body: str, folder: Path) -> str:
    """Return the body of a function after the host passes, its kernels and launches as they were."""
    (folder / "main.cu").write_text(f"{HEAD}void run(int n, int k, int *d, int *h)\n{{\n{body}\n}}\n")
    source = parsers.read(folder)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE)
    text = probes.without(found.files["main.cu"]).decode()
    return " ".join(text[text.index("void run(") :].split("{", 1)[1].split())


KEPT = {
    "an error that the program sets": (
        "cudaError_t err = cudaSuccess; if (n <= 0) err = cudaErrorInvalidValue;"
        ' if (err != cudaSuccess) { puts("bad"); return; } err = cudaMemset(d, 0, 4);'
        " if (err != cudaSuccess) return;",
        'if (err != cudaSuccess) { puts("bad"); return; }',
    ),
    "an error that is chosen": (
        "cudaError_t err = cudaDeviceSynchronize(); err = n > 9 ? cudaErrorUnknown : cudaSuccess;"
        ' if (err != cudaSuccess) puts("big");',
        'puts("big")',
    ),
    "an error beside others": (
        "cudaError_t a, b = cudaSuccess; a = cudaDeviceSynchronize(); if (n == 8) { b = cudaErrorUnknown; }"
        ' if (a != cudaSuccess || b != cudaSuccess) puts("bad");',
        "b = cudaErrorUnknown;",
    ),
    "another variable of that name": (
        "{ cudaError_t err = cudaSetDevice(0); if (err != cudaSuccess) return; }"
        ' { int err = n - 1; if (err) puts("one"); }',
        'int err = n - 1; if (err) puts("one");',
    ),
    "an end of the program": ("if (n > 3) exit(cudaDeviceReset());", "if (n > 3) exit(cudaDeviceReset());"),
    "a status in brackets": ("cudaError_t err; err = (cudaMemset(d, 0, 4)); CHECK(err);", "(d, 0, 4)"),
    "calls that an expression of statements counts": ("COUNTING(cudaMemset(d, 0, 4));", "COUNTING("),
    "calls that are counted": ("COUNTED(cudaMemset(d, 0, 4));", "COUNTED(cudaMemset(d, 0, 4));"),
    "a status that is set for others": ("SET(cudaMemset(d, 0, 4));", "SET(cudaMemset(d, 0, 4));"),
    "calls that are logged": ("logged(cudaMemset(d, 0, 4), k);", "logged("),
    "what a check is given besides": ("asserted(cudaMemset(d, 0, 4), __FILE__, k++);", "k++"),
    "another way where memory lacks": (
        'if (cudaMalloc(&d, n) != cudaSuccess) { puts("less"); cudaMalloc(&d, 4); }',
        'd = (int *)malloc(n); if (d == nullptr) { puts("less"); d = (int *)malloc(4); }',
    ),
    "a counted device": ("cudaSetDevice(k++ % 2);", "k++;"),
    "a hint that is printed": ("cudaMemPrefetchAsync(d, noisy(n), 0);", "noisy(n);"),
    "a hint that is logged": ("cudaMemPrefetchAsync(d, logging(n), 0);", "logging(n);"),
    "a check that prints": ("told(cudaDeviceSynchronize());", "told(cudaDeviceSynchronize());"),
    "an object that begins and ends": (
        "Stream one; fill<<<1, 32, 0, one.stream>>>(d, n);",
        "Stream one; fill<<<1, 32>>>(d, n);",
    ),
    "an object with a value": (
        "auto one = Stream{}; fill<<<1, 32, 0, one.stream>>>(d, n);",
        "auto one = Stream{}; fill<<<1, 32>>>(d, n);",
    ),
    "a device that a function picks": ("cudaSetDevice(picked());", "picked();"),
    "a hint that counts": ("cudaMemPrefetchAsync(d, 4, k++);", "k++;"),
    "a counted stream": (
        "cudaStream_t s[4]; cudaMemcpyAsync(d, h, n, cudaMemcpyHostToDevice, s[k++ % 4]);",
        "memcpy(d, h, n); k++;",
    ),
    "a counted stream of a launch": (
        "cudaStream_t s[4]; fill<<<1, 32, 0, s[k++ % 4]>>>(d, n);",
        "fill<<<1, 32>>>(d, n); k++;",
    ),
    "a counted stream of an event": (
        "cudaStream_t s[4]; cudaEvent_t e; cudaEventCreate(&e); cudaEventRecord(e, s[k++ % 4]);",
        "k++;",
    ),
    "a condition that counts": ("if (k++ % 4 == 0) cudaDeviceSynchronize(); h[k] = 0;", "k++ % 4 == 0"),
    "a loop that counts something else": (
        "cudaStream_t s[4]; for (int i = 0; i < 4; i++, k++) cudaStreamCreate(&s[i]); h[k] = 0;",
        "i++, k++",
    ),
    "rows that are chosen": (
        "cudaMemset2D(d, 64, 0, 4, n > 4 ? 4 : n); cudaMemset2D(d, 64, 0, 4, n & 3);",
        "row < (n > 4 ? 4 : n)",
    ),
    "rows of some bits": ("cudaMemset2D(d, 64, 0, 4, n & 3);", "row < (n & 3)"),
}
"""Texts that may not be lost, and a part of the port that shows it."""


@pytest.mark.parametrize("name", KEPT)
def test_what_else_happens_stays(name: str, tmp_path: Path) -> None:
    body, part = KEPT[name]
    assert part in ported(body, tmp_path)


BARE = {
    "a macro that sets a variable and asks": 'NOTED(cudaMemset(d, 0, n), "set");',
    "a macro of a framework": "EXPECTED(cudaMemset(d, 0, n));",
    "a macro": "CHECK(cudaMemset(d, 0, n));",
    "a macro that is an expression of statements": "VALUED(cudaMemset(d, 0, n));",
    "a macro that hands it on": "ASSERTED(cudaMemset(d, 0, n));",
    "a function": "asserted(cudaMemset(d, 0, n), __FILE__, __LINE__);",
    "a variable": "cudaError_t err; err = cudaMemset(d, 0, n); if (err != cudaSuccess) return;",
}


@pytest.mark.parametrize("name", BARE)
def test_what_only_checks_is_taken_off(name: str, tmp_path: Path) -> None:
    assert ported(BARE[name], tmp_path) == "memset(d, 0, n); }"


def test_functions_that_only_tell_something_are_no_effect(tmp_path: Path) -> None:
    assert ported("cudaSetDevice(plain(n)); h[0] = 1;", tmp_path) == "h[0] = 1; }"


BUFFERS = """\
int m = plain(n), *w, *g = (int *)malloc(m * sizeof(int));
cudaMalloc(&w, m * sizeof(int));
cudaMemcpy(w, g, m * sizeof(int), cudaMemcpyHostToDevice);
fill<<<1, 64>>>(w, m);
"""
BACK = """
cudaMemcpy(g, w, m * sizeof(int), cudaMemcpyDeviceToHost);
printf("%d", g[m]);
cudaFree(w);
free(g);
"""


@pytest.mark.parametrize("between", ["shrink(m);", "int &other = m; other = 3;", "std::swap(m, k);"])
def test_sizes_that_change_by_another_name_keep_the_copies(between: str, tmp_path: Path) -> None:
    assert "memcpy(g, w, m * sizeof(int))" in ported(f"{BUFFERS}{between}{BACK}", tmp_path)


def test_two_sizes_of_one_name_are_two_sizes(tmp_path: Path) -> None:
    inner = "{ int m = plain(k); cudaMemcpy(g, w, m * sizeof(int), cudaMemcpyDeviceToHost); }"
    assert "memcpy(g, w, m * sizeof(int))" in ported(f"{BUFFERS}{inner} cudaFree(w); free(g);", tmp_path)


def test_sizes_that_stay_let_the_copies_go(tmp_path: Path) -> None:
    assert "memcpy" not in ported(f'{BUFFERS}printf("%d", m);{BACK}', tmp_path)


def test_a_variable_with_another_name_is_no_buffer(tmp_path: Path) -> None:
    body = (
        "int sum = 5; int &alias = sum; int *s; cudaMalloc(&s, sizeof(int));"
        " cudaMemcpy(s, &sum, sizeof(int), cudaMemcpyHostToDevice); fill<<<1, 64>>>(s, 1); alias++;"
        " cudaMemcpy(&sum, s, sizeof(int), cudaMemcpyDeviceToHost); cudaFree(s);"
    )
    assert "memcpy(&sum, s, sizeof(int))" in ported(body, tmp_path)


@pytest.mark.parametrize(
    "between", ["total = total / 2;", "grow_later();", "shrink(total);", "int &t = total; t = 1;"]
)
def test_sizes_of_a_file_that_change_keep_the_copies(between: str, tmp_path: Path) -> None:
    body = f"{BUFFERS}{between}{BACK}".replace("int m = plain(n), ", "int ").replace("m *", "total *")
    assert "memcpy(g, w, total * sizeof(int))" in ported(body, tmp_path)


@pytest.mark.parametrize("between", ["plain(total);", 'printf("%d", total);', "int u = total; u++;"])
def test_sizes_of_a_file_that_stay_let_the_copies_go(between: str, tmp_path: Path) -> None:
    body = f"total = n; {BUFFERS}{between}{BACK}".replace("int m = plain(n), ", "int ").replace(
        "m *", "total *"
    )
    assert "memcpy" not in ported(body, tmp_path)


def test_methods_may_change_what_was_copied(tmp_path: Path) -> None:
    body = (
        "Part part, *p; part.set(3); cudaMalloc(&p, sizeof(Part));"
        " cudaMemcpy(p, &part, sizeof(Part), cudaMemcpyHostToDevice); part.set(9); use<<<1, 64>>>(p, d);"
        " cudaFree(p);"
    )
    assert "memcpy(p, &part, sizeof(Part))" in ported(body, tmp_path)


@pytest.mark.parametrize(
    ("search", "stays"),
    [
        ("int *top = std::max_element(g, g + m);", True),
        ("void *top = memchr(g, 0, 16);", True),
        ("auto top = std::make_pair(g, m);", True),
        ("int top = *std::max_element(g, g + m);", False),
    ],
)
def test_ways_into_an_array_keep_it_as_it_is(search: str, stays: bool, tmp_path: Path) -> None:
    body = BUFFERS.replace("cudaMemcpy(w", f"{search}\ncudaMemcpy(w") + 'printf("%d", top[0]);' * stays + BACK
    assert ("memcpy(g, w, m * sizeof(int))" in ported(body, tmp_path)) is stays


def test_shapes_follow_variables_of_the_file(tmp_path: Path) -> None:
    """A shape whose variable changes behind it is not written anew where it is used."""
    text = HEAD + (
        "void run(int *d)\n{\n    dim3 grid((total + 63) / 64);\n    grow_later();\n"
        "    fill<<<grid, 64>>>(d, 64);\n}\n"
    )
    (tmp_path / "main.cu").write_text(text)
    source = parsers.read(tmp_path)
    launch = next(of_type(parse(text.encode()), "kernel_call_syntax"))
    shape = shape_of(launch.named_children[0], Definitions.of(source.files.values()))
    assert shape.axes[0] == "grid.x"


SMOOTHED = """\
__global__ void blur(const int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1];
}
static int *some;
struct Image { int *data; };
void smooth(const int *in, int *out, int n)
{
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, in, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(b, out, n * sizeof(int), cudaMemcpyHostToDevice);
    blur<<<1, 64>>>(a, b, n);
    cudaMemcpy(out, b, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
}
"""
BY_MACRO = "#define ITSELF(p, n) smooth(p, p, n)\n"
TWICE = "void twice(const int *in, int *out, int n) { smooth(in, out, n); }\n"
TWO = "int *p = (int *)malloc(4 * n), *q = (int *)malloc(4 * n);"
CALLERS = {
    "two arrays": (f"{TWO} smooth(p, q, n);", True),
    "two arrays through another function": (f"{TWO} twice(p + 1, q, n);", True),
    "two vectors": ("std::vector<int> p(n), q(n); smooth(p.data(), q.data(), n);", True),
    "two arrays of fixed length": ("int p[64], q[64]; smooth(p, &q[1], n);", True),
    "one array": (f"{TWO} smooth(p, p, n);", False),
    "one array by two names": (f"{TWO} int *r = k ? p : q; smooth(p, r, n);", False),
    "one array by a name that is set later": (f"{TWO} if (k) q = p; smooth(p, q, n);", False),
    "one array by two names, further up": (f"{TWO} int *r = p; twice(p, r, n);", False),
    "what structures hold": ("Image a = {h}, b = a; smooth(a.data, b.data, n);", False),
    "what somebody else passes": ("smooth(d, h, n);", False),
    "a pointer of the file": (f"{TWO} some = p; smooth(p, some, n);", False),
    "a reference": (f"{TWO} int *&r = p; smooth(p, r, n);", False),
    "one array by a macro": (f"{TWO} smooth(p, q, n); ITSELF(p, n);", False),
    "one array by a pointer to the function": (f"{TWO} smooth(p, q, n); auto f = smooth; f(p, p, n);", False),
    "one array by a thread": (f"{TWO} smooth(p, q, n); std::thread t(smooth, p, p, n); t.join();", False),
}


@pytest.mark.parametrize("name", CALLERS)
def test_arrays_of_callers_are_one_with_buffers_where_they_surely_differ(name: str, tmp_path: Path) -> None:
    body, merged = CALLERS[name]
    between = (TWICE if "twice(" in body else "") + (BY_MACRO if "ITSELF" in body else "")
    run = f"void run(int n, int k, int *d, int *h) {{ {body} }}\n"
    text = f"{HEAD}#include <vector>\n{SMOOTHED}{between}{run}"
    (tmp_path / "main.cu").write_text(text)
    source = parsers.read(tmp_path)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files["main.cu"]
    assert (b"memcpy" not in found) is merged


WRITERS = {
    "an element": ("v[i] = 1;", True),
    "an element by a reference": ("int &one = v[i]; one = 1;", True),
    "a member by a reference": ("auto &one = v[i]; one++;", True),
    "two elements": ("swap(v[i], v[0]);", True),
    "none": ("int one = v[i]; one++;", False),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_kernels_write_stays_in_the_buffer(name: str, tmp_path: Path) -> None:
    """An array that the host reads again without a copy back is not what the kernel works on."""
    body, writes = WRITERS[name]
    kernel = f"__global__ void touch(int *v) {{ int i = threadIdx.x; {body} }}\n"
    run = BUFFERS.replace("fill<<<1, 64>>>(w, m)", "touch<<<1, 64>>>(w)") + 'printf("%d", g[1]); cudaFree(w);'
    (tmp_path / "main.cu").write_text(f"{HEAD}{kernel}void run(int n, int k) {{ {run} }}\n")
    source = parsers.read(tmp_path)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files["main.cu"]
    assert (b"memcpy(w, g, m * sizeof(int))" in found) is writes


KEEPING = {
    "in a variable": ("__device__ const int *last;", "const int *v", "last = v;", True),
    "in a variable, from some element on": (
        "__device__ const int *last;",
        "const int *v",
        "last = &v[4];",
        True,
    ),
    "in a table": ("", "int *v, int **rows", "rows[threadIdx.x] = v + threadIdx.x * 4;", True),
    "by a name of its own": ("", "int *v, int **rows", "int *own = v + 4; rows[0] = own;", True),
    "by a function": (
        "__device__ int *last;\n__device__ void keep(int *one) { last = one; }",
        "int *v",
        "keep(v);",
        True,
    ),
    "by a name that goes on": ("", "const int *v, int *w", "const int *p = v; p = p + 4; w[0] = *p;", False),
    "by none that outlives it": ("", "const int *v, int *w", "const int *own = v + 4; w[0] = own[2];", False),
}


@pytest.mark.parametrize("name", KEEPING)
def test_buffers_that_kernels_keep_pointers_to_stay(name: str, tmp_path: Path) -> None:
    """A later kernel reaches such a buffer without naming it, whatever the host did to its array."""
    before, listed, body, stays = KEEPING[name]
    kernel = f"{before}\n__global__ void touch({listed}) {{ {body} }}\n"
    more = ", rows" if "," in listed else ""
    run = BUFFERS.replace("fill<<<1, 64>>>(w, m)", f"touch<<<1, 64>>>(w{more})") + BACK
    (tmp_path / "main.cu").write_text(f"{HEAD}{kernel}void run(int n, int k, int **rows) {{ {run} }}\n")
    source = parsers.read(tmp_path)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files["main.cu"]
    assert (b"memcpy(w, g, m * sizeof(int))" in found) is stays


SWAPPED = """__global__ void blur(const int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) b[i] = a[i - 1] + a[i + 1];
}
using std::swap;
void run(int *h, int n, int steps)
{
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, h, n * sizeof(int), cudaMemcpyHostToDevice);
    for (int t = 0; t < steps; t++) {
        blur<<<(n + 63) / 64, 64>>>(a, b, n);
        swap(a, b);
    }
    cudaMemcpy(h, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
}
void both(int n, int steps)
{
    int *h = (int *)calloc(n, sizeof(int));
    run(h, n, steps);
    free(h);
}
"""


@pytest.mark.parametrize(
    ("defined", "call"),
    [
        ("using std::swap;", "swap(a, b);"),
        ("#define SWAP(p, q) std::swap(p, q)", "SWAP(a, b);"),
        ("#define SWAP(p, q) do { int *t = p; p = q; q = t; } while (0)", "SWAP(a, b);"),
        ("template <class T> void turn(T &p, T &q) { T t = p; p = q; q = t; }", "turn(a, b);"),
    ],
)
def test_buffers_that_change_places_are_no_array_of_the_host(defined: str, call: str, tmp_path: Path) -> None:
    """The array of a caller cannot change places with a buffer."""
    text = SWAPPED.replace("using std::swap;", defined).replace("swap(a, b);", call)
    (tmp_path / "main.cu").write_text(f"{HEAD}#include <utility>\n{text}")
    source = parsers.read(tmp_path)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files["main.cu"]
    assert call.encode() in found and b"memcpy(a, h, n * sizeof(int))" in found


@pytest.mark.parametrize(
    ("declared", "axis"),
    [
        ("auto blocks = (n + 63) / 64;", "blocks"),
        ("auto blocks = n / 64.0;", "unsigned(blocks)"),
        ("const auto blocks = 4 * k;", "blocks"),
        ("auto blocks = made(n);", "dim3(blocks).x"),
        ("auto blocks = dim3(n, 2);", "n"),
        ("float f = n; dim3 blocks(f);", "unsigned(f)"),
    ],
)
def test_types_of_sizes_may_be_deduced(declared: str, axis: str) -> None:
    """A number has no part ``x``."""
    text = f"void run(int *d, int n, int k) {{ {declared} fill<<<blocks, 64>>>(d, n); }}\n".encode()
    launch = next(of_type(parse(text), "kernel_call_syntax"))
    assert shape_of(launch.named_children[0], Definitions.of([text])).axes[0] == axis


ENDINGS = {
    "an exception": ("", "if (n > 100) throw n;", False),
    "an exception of a function": (
        "void must(bool fine) { if (!fine) throw 1; }\nvoid few(int n) { must(n < 100); }",
        "few(n);",
        False,
    ),
    "a macro that returns": ("#define STOP_IF(what) if (what) return", "STOP_IF(n > 100);", False),
    "a macro that leaves a loop": ("#define STOP break", "if (n > 100) STOP;", False),
    "a macro that does not": ("#define TELL(what) if (what) puts(#what)", "TELL(n > 100);", True),
    "a function that does not": ("int few(int n) { return n < 100; }", "few(n);", True),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_arrays_of_callers_are_as_they_were_where_nothing_is_copied_back(name: str, tmp_path: Path) -> None:
    """Functions end where they throw, and where macros return."""
    before, between, merged = ENDINGS[name]
    text = f"""\
{before}
void run(int *h, int n)
{{
    int *a;
    cudaMalloc(&a, n * sizeof(int));
    for (int k = 0; k < 3; k++) {{
        cudaMemcpy(a, h, n * sizeof(int), cudaMemcpyHostToDevice);
        fill<<<(n + 63) / 64, 64>>>(a, n);
        {between}
        cudaMemcpy(h, a, n * sizeof(int), cudaMemcpyDeviceToHost);
    }}
    cudaFree(a);
}}
void both(int n) {{ int *h = (int *)calloc(n, 4); run(h, n); free(h); }}
"""
    (tmp_path / "main.cu").write_text(HEAD + text)
    source = parsers.read(tmp_path)
    found = rewritten(dict(source.files), source, {}, Style.IN_PLACE).files["main.cu"]
    assert (b"memcpy" not in found) is merged


FRACTIONS = {
    "n / 256.0 + 0.9": True,
    "dim3(n / 256.0 + 1)": True,
    "k + scale * n": True,
    "ceil(n / 64.0) / 2": True,
    "ceil(n / 64.0)": False,
    "(n + 63) / 64": False,
    "0x1F + n": False,
    "(int)(n / 64.0) + 1": False,
}


@pytest.mark.parametrize("size", FRACTIONS)
def test_sizes_with_a_fraction_are_made_whole(size: str) -> None:
    """Products of sizes would have the fraction, and the source's launch has not."""
    text = f"void run(int *d, int n, int k, float scale) {{ fill<<<{size}, 64>>>(d, n); }}\n".encode()
    launch = next(of_type(parse(text), "kernel_call_syntax"))
    shape = shape_of(launch.named_children[0], Definitions.of([text]))
    assert shape.axes[0].startswith("unsigned(") is FRACTIONS[size]


def test_allocations_that_are_tested_let_the_copies_go(tmp_path: Path) -> None:
    tested = 'if (cudaMalloc(&w, m * sizeof(int)) != cudaSuccess) { puts("none"); return; }'
    body = f"{BUFFERS}{BACK}".replace("cudaMalloc(&w, m * sizeof(int));", tested)
    assert "memcpy" not in ported(body, tmp_path)
