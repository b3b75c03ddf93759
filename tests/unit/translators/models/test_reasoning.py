"""Reasoning is cut off wherever models put it; code and prose that only look like it stay."""

from __future__ import annotations

import pytest

from transpile.translators.models.reasoning import without_reasoning

TEXTS = {
    "none": ("void f() {}", "void f() {}"),
    "marked": ("<think>a\nb</think>\n\nvoid f() {}", "void f() {}"),
    "empty": ("<think>\n\n</think>\nvoid f() {}", "void f() {}"),
    "other marks": ("<thinking>a</thinking>x", "x"),
    "magistral": ("[THINK]a[/THINK]x", "x"),
    "twice": ("<think>a</think>x\n<think>b</think>y", "x\ny"),
    "begun by the prompt": ("a\n</think>\nx", "x"),
    "quoted within": ("it ends with </think> I think\n</think>x", "x"),
    "mentioned behind": ("<think>a</think>x, and no </think>", "x, and no"),
    "cut off": ("<think>a and then", ""),
    "cut off behind text": ("x\n<think>a", "x"),
    "a type": ("std::vector<think> x;", "std::vector<think> x;"),
    "harmony": (
        "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>x<|return|>",
        "x",
    ),
    "harmony cut off": ("<|channel|>analysis<|message|>a", ""),
}


@pytest.mark.parametrize(("text", "kept"), TEXTS.values(), ids=TEXTS)
def test_what_is_left_of_an_answer(text: str, kept: str) -> None:
    assert without_reasoning(text) == kept
