"""Random C functions full of loops that set and read the same few variables and members."""

from __future__ import annotations

from random import Random

_HEAD = """#include <stdio.h>
#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define READS_T (t + 1)
#define SETS_T t += 2
struct inner { int m; };
struct node { int x[16]; int n; struct inner in; };
static int g = 3;
static struct node all;
static void bump(int *v) { *v += 1; }
static void show(int v) { printf("<%d>", v); }
"""
_FUNCTION = """
int f{number}(int n, int *a, int *b, struct node *p)
{{
    int i = 1, j = 2, k = 3, s = 4, t = 5, u = 6;
    int own[16] = {{1, 2, 3}};
    int left = 3000;
    struct node q = {{ {{7, 8}}, 9, {{10}} }};
    {body}
    printf("%d %d %d %d %d %d %d|", i, j, k, s, t, u, n);
    for (i = 0; i < 16; i++) printf("%d ", own[i] + q.x[i]);
    printf("%d %d\\n", q.n, p->n);
    return s;
}}
"""
_MAIN = """
int main(void)
{{
    int a[16] = {{3, 1, 4}}, b[16] = {{2, 7, 1}};
    struct node p = {{ {{1, 2, 3}}, 4, {{5}} }};
    {calls}
    for (int i = 0; i < 16; i++) printf("%d %d %d %d %d\\n", a[i], b[i], p.x[i], all.n, g);
    return 0;
}}
"""
_COUNTERS = ("i", "j", "k")
_SCALARS = ("s", "t", "u", "n", *_COUNTERS, "g")
_ARRAYS = ("a", "b", "own", "p->x", "q.x")
_MEMBERS = ("p->n", "q.n", "p->in.m", "all.n")
_DEEPEST = 4


def program(seed: int, count: int) -> str:
    """Return a program of that many functions, which prints all that they leave behind."""
    random = Random(seed)
    functions = "".join(
        _FUNCTION.format(number=number, body="\n    ".join(_Writer(random).statements(0, 3, 7)))
        for number in range(count)
    )
    calls = "\n    ".join(f"f{number}(5, a, b, &p);" for number in range(count))
    return _HEAD + functions + _MAIN.format(calls=calls)


class _Writer:
    """Writes statements; a counter runs in one loop at a time, and all loops together have few iterations."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._running: list[str] = []

    def statements(self, depth: int, fewest: int, most: int) -> list[str]:
        return [self._statement(depth) for _ in range(self._random.randint(fewest, most))]

    def _block(self, depth: int) -> str:
        return "{ " + " ".join(self.statements(depth, 1, 4)) + " }"

    def _statement(self, depth: int) -> str:
        draw = self._random.random()
        if draw < 0.5 or depth >= _DEEPEST:
            operator = self._random.choice(("=", "=", "=", "+=", "^="))
            return f"{self._target()} {operator} {self._value()};"
        if draw < 0.62:
            other = f" else {self._block(depth + 1)}" if self._random.random() < 0.4 else ""
            return f"if ({self._value()} > {self._random.randint(-3, 3)}) {self._block(depth + 1)}{other}"
        if draw < 0.85:
            return self._loop(depth)
        if draw < 0.9 and self._running:
            return f"if ({self._value()} > 3) {self._random.choice(('continue', 'break'))};"
        if draw < 0.95:
            return self._random.choice((f"bump(&{self._random.choice(_SCALARS)});", "SETS_T;"))
        return f"show({self._value()});"

    def _loop(self, depth: int) -> str:
        free = [name for name in _COUNTERS if name not in self._running]
        if not free:
            return f"{self._target()} = {self._value()};"
        counter = self._random.choice(free)
        start = self._random.choice(("0", "0", "2", "(t & 3)"))
        also = f", {self._random.choice(_SCALARS)} = 7" if self._random.random() < 0.1 else ""
        self._running.append(counter)
        body = self._block(depth + 1)
        self._running.pop()
        limit = self._random.randint(0, 4)
        return f"for ({counter} = {start}{also}; {counter} < {limit} && left-- > 0; {counter}++) {body}"

    def _value(self, depth: int = 0) -> str:
        draw = self._random.random()
        if depth > 2 or draw < 0.3:
            return self._random.choice(_SCALARS)
        if draw < 0.4:
            return str(self._random.randint(0, 5))
        if draw < 0.62:
            return self._element()
        if draw < 0.7:
            return self._random.choice(_MEMBERS)
        left, right = self._value(depth + 1), self._value(depth + 1)
        if draw < 0.74:
            return f"LARGER({left}, {right})"
        return "READS_T" if draw < 0.77 else f"({left} {self._random.choice('+-*^')} {right})"

    def _target(self) -> str:
        draw = self._random.random()
        if draw < 0.5:
            return self._element()
        return self._random.choice(_SCALARS if draw < 0.9 else _MEMBERS)

    def _element(self) -> str:
        array, counter = self._random.choice(_ARRAYS), self._random.choice(_COUNTERS)
        return f"{array}[({counter} + {self._random.randint(0, 3)}) & 15]"
