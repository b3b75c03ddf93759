"""Output of kernels as a number that two sides can be compared by."""

from __future__ import annotations

from collections.abc import Iterable

from transpile.core import PRINTED, Signature

_STUB = """
#include <cstdarg>
#include <cstdio>
#include <vector>
static unsigned long long @;
extern "C" {
__attribute__((no_sanitize("thread"))) static void transpile_note(const char *text, int length) {
    unsigned long long found = 14695981039346656037u;
    for (int i = 0; i < length; i++) found = (found ^ (unsigned char)text[i]) * 1099511628211u;
    for (int turn = 0; turn < 2; turn++) found = (found ^ found >> 32) * 0xd6e8feb86659fd93u;
    if (length > 0) __atomic_fetch_add(&@, found ^ found >> 32, __ATOMIC_RELAXED);
    std::fwrite(text, 1, length, stdout);
}
static int transpile_noted(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    if (length < 0) return length;
    std::vector<char> text(length + 1);
    std::vsnprintf(text.data(), text.size(), format, arguments);
    transpile_note(text.data(), length);
    return length;
}
__attribute__((used, noinline)) static int transpile_printf(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = transpile_noted(format, arguments);
    va_end(arguments);
    return length;
}
__attribute__((used, noinline)) static int transpile_printf_chk(int, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = transpile_noted(format, arguments);
    va_end(arguments);
    return length;
}
__attribute__((used, noinline)) static int transpile_puts(const char *line) {
    std::vector<char> text;
    while (*line) text.push_back(*line++);
    text.push_back('\\n');
    transpile_note(text.data(), int(text.size()));
    return 1;
}
__attribute__((used, noinline)) static int transpile_putchar(int letter) {
    const char text = char(letter);
    transpile_note(&text, 1);
    return letter;
}
}
asm(".set printf, transpile_printf\\n"
    ".set __printf_chk, transpile_printf_chk\\n"
    ".set puts, transpile_puts\\n"
    ".set putchar, transpile_putchar\\n");
"""
"""Compilers make calls of ``puts`` and ``putchar`` of some, so these note the same text.

Each call counts by what it prints, whatever the order: threads have none. The names are set in the
assembly of the translation unit, so that calls ahead of this text are meant as well.
"""


def notes(signatures: Iterable[Signature]) -> str:
    """Return functions in place of ``printf``, which note what is printed; none where nobody is asked."""
    if not any(PRINTED in signature.globals for signature in signatures):
        return ""
    return _STUB.replace("@", PRINTED.name)
