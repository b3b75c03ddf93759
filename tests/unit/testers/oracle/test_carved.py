from pathlib import Path

import numpy as np
import pytest

from transpile.testers.oracle.carved import Argument, Carving, load, save
from transpile.testers.trials.materialise import Unmakeable


def carving() -> Carving:
    data = np.arange(64, dtype=np.uint8)
    return Carving(arguments=(Argument(before=data, after=data[::-1].copy(), below=8, pointer=True),))


def test_a_call_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    [argument] = load(tmp_path, save(tmp_path, carving())).arguments
    [kept] = carving().arguments
    assert (argument.below, argument.pointer) == (8, True)
    assert np.array_equal(argument.before, kept.before)
    assert np.array_equal(argument.after, kept.after)


def test_truncated_data_is_refused_and_carving_again_mends_it(tmp_path: Path) -> None:
    name = save(tmp_path, carving())
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Unmakeable, match="damaged"):
        load(tmp_path, name)
    assert save(tmp_path, carving()) == name
    assert load(tmp_path, name).arguments


def test_lost_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unmakeable, match="cannot be read"):
        load(tmp_path, "0" * 64)
