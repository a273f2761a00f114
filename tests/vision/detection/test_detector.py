"""The outputs of the shipped detector do not depend on the number of threads; its file is not kept in memory."""

import numpy as np
import pytest

from tilescore.models.registry import shipped
from tilescore.vision.inference.session import open_session

SIZES = ((608, 800), (256, 544), (256, 576), (256, 608), (640, 480))
"""Heights and widths; with many threads onnxruntime would split the sums of some of these."""


@pytest.mark.parametrize("threads", ["2", "3", "5", "16"])
def test_the_number_of_threads_changes_no_output(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = []
    for count in ("1", threads):
        monkeypatch.setenv("TILESCORE_THREADS", count)
        sessions.append(open_session(shipped()[0].detector.path))
    levels = np.random.default_rng(0)
    for size in SIZES:
        given = {"images": levels.random((1, 3, *size), np.float32)}
        alone, shared = (session.run(None, given)[0] for session in sessions)
        assert np.array_equal(alone, shared), size


def test_a_session_keeps_no_copy_of_the_file() -> None:
    path = shipped()[0].detector.path
    kept = [name for name, value in vars(open_session(path)).items() if isinstance(value, bytes)]
    assert not kept
