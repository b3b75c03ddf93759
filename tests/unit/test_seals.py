from __future__ import annotations

import json

import pytest

from transpile.seals import opened, sealed

TEXT = json.dumps({"key": "k", "evidence": [1, 2]}, indent=1).encode()


def test_what_is_sealed_is_json_and_comes_back() -> None:
    assert json.loads(sealed(TEXT)).keys() == {"digest", "key", "evidence"}
    assert json.loads(opened(sealed(TEXT))) == json.loads(TEXT)


@pytest.mark.parametrize("at", range(0, len(sealed(TEXT)), 7))
def test_any_change_is_noticed(at: int) -> None:
    data = bytearray(sealed(TEXT))
    data[at] ^= 1
    with pytest.raises(ValueError, match="changed"):
        opened(bytes(data))


@pytest.mark.parametrize("data", [b"", b"{}", TEXT, sealed(TEXT)[:-1], sealed(TEXT).replace(b"2", b"3", 1)])
def test_what_was_never_sealed_is_not_believed(data: bytes) -> None:
    with pytest.raises(ValueError, match="changed"):
        opened(data)
