"""Loops that try a compare-and-swap again, and ones that lose what another thread wrote."""

from __future__ import annotations

import pytest

from transpile.code.trees import descendants, parse
from transpile.testers.text.retries import is_retry

SWAP = "__atomic_compare_exchange_n(&v, &old, {}, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)"

VALUE = "__sync_val_compare_and_swap(&v, old, next)"
PLACE = "int *place = &bins[x[n]]"
READ = "#pragma omp atomic read"
TOLD = "__sync_bool_compare_and_swap(place, old, {})"


def retries(text: str) -> bool:
    body = f"void f(int n, const int *x, int *bins) {{ int v = 0; int old = v; {text} }}"
    [loop] = descendants(parse(body.encode()).root_node, "while_statement", "do_statement")
    return is_retry(loop)


@pytest.mark.parametrize(
    "text",
    [
        f"while (!{SWAP.format('old + 1')}) {{ }}",
        f"while (!{SWAP.format('old + x[n]')});",
        "std::atomic<int> own{0}; while (!own.compare_exchange_weak(old, old + x[n])) { }",
        "while (!own[n].compare_exchange_strong(old, x[n] > old ? x[n] : old)) { }",
        f"int next; do {{ old = v; next = old + x[n]; }} while ({VALUE} != old);",
        f"int next; do {{\n{READ}\nold = v;\nnext = fmaxf(old, x[n]); }} while (old != {VALUE});",
        f"int next; do next = old + 1; while (!{SWAP.format('next')});",
        f"{PLACE}, more = x[n]; do {{ old = *place; }} while (!{TOLD.format('old + more')});",
        "int seen; do { seen = old; old = atomicCAS(&bins[n], seen, seen + x[n]); } while (seen != old);",
    ],
)
def test_what_is_made_of_what_is_there_now_loses_nothing(text: str) -> None:
    assert retries(text)


@pytest.mark.parametrize(
    "text",
    [
        f"int seen = old; while (!{SWAP.format('seen + 1')}) {{ }}",
        f"int seen = old; while (!{SWAP.format('old * 0 + seen + 1')}) {{ }}",
        f"int seen; seen = v; while (!{SWAP.format('seen + old')}) {{ }}",
        f"while (!{SWAP.format('next(old)')}) {{ }}",
        f"while (!{SWAP.format('old + 1')}) {{ n++; }}",
        f"while ({SWAP.format('old + 1')}) {{ }}",
        f"while (!{SWAP.format('old + 1')} && n > 77) {{ }}",
        "while (!own.compare_exchange_weak(old, 1)) { }",
        "while (!done(v)) { }",
        f"int next; while ({VALUE} != old) {{ next = old + 1; }}",
        f"int next = old; do {{ old = v; next = next + x[n]; }} while ({VALUE} != old);",
        f"int next; do {{ old = v; next = old + n++; }} while ({VALUE} != old);",
        f"int next; do {{ old = v; next = old + 1; x[n] = 3; }} while ({VALUE} != old);",
        f"int next; do {{ old = v; next = turned(old); }} while ({VALUE} != old);",
        f"int next = old + 1; do {{ old = v; }} while ({VALUE} != old);",
        f"int next; old = v; do {{ next = old + 1; }} while ({VALUE} != old);",
        f"{PLACE}, more = bins[0]; do {{ old = *place; }} while (!{TOLD.format('old + more')});",
        "int seen; do { seen = old; old = atomicCAS(&bins[n], seen, x[n]); } while (seen != old);",
        "int seen; do { seen = old; old = atomicCAS(&bins[n], seen, seen + 1); } while (seen == old);",
        "int seen = old; do { old = atomicCAS(&bins[n], seen, seen + 1); } while (seen != old);",
    ],
)
def test_what_may_lose_something_needs_a_trial(text: str) -> None:
    assert not retries(text)
