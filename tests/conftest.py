"""Fixtures for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections import deque
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tilescore.processes.threads import compute_with_one_thread

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

_DATA = TemporaryDirectory(prefix="tilescore-tests-")
os.environ.setdefault("TILESCORE_CROPS", str(SHARED / "data" / "crops"))
os.environ.setdefault("TILESCORE_PHOTOS", str(SHARED / "data" / "photos"))
os.environ["TILESCORE_DATA"] = _DATA.name  # otherwise tests would write into the data folder of the developer

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")  # a busy machine is no fault of what is tested

for _number, _handler in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    # A shell starts what runs in its background without these signals, and the commands under test would inherit that.
    if hasattr(signal, _number) and signal.getsignal(getattr(signal, _number)) is signal.SIG_IGN:
        signal.signal(getattr(signal, _number), _handler)

if "PYTEST_XDIST_WORKER" in os.environ:  # several processes share the cores, and their threads would block each other
    compute_with_one_thread()

UNCOUNTED = ("random", "hypothesis", "shared")
"""Marks of tests that aim at no branch of scoring/: a chosen case must cover each branch without them."""
BROWSERS = ROOT / "tests" / "e2e"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count the branches of chosen cases in tests/scoring; random cases run uncounted, three times as fast."""
    for item in items:
        drawn = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if "scoring" not in item.path.parts or drawn or any(map(item.get_closest_marker, UNCOUNTED)):
            item.add_marker(pytest.mark.uncounted)
    # Counted tests run first, because cached values must be computed while branches count.
    items.sort(key=lambda item: item.get_closest_marker("uncounted") is not None)
    if "PYTEST_XDIST_WORKER" in os.environ:
        places = {path: place for place, path in enumerate(_spread({item.path: None for item in items}))}
        items.sort(key=lambda item: places[item.path])


def _spread(paths: Iterable[Path]) -> Iterator[Path]:
    """The files as they start: two others after each file of browser tests, because browsers often wait."""
    browsers, others = deque[Path](), deque[Path]()
    for path in paths:
        (browsers if path.parent == BROWSERS else others).append(path)
    while browsers or others:
        if browsers:
            yield browsers.popleft()
        for _ in range(min(2, len(others))):
            yield others.popleft()


class _Measurement:
    """The counting of branches that pytest-cov begins. It costs half of the time, and is on for counted tests only."""

    def __init__(self) -> None:
        self._counting: tuple[Any, Any] = (None, None)

    def pause(self) -> None:
        """Stop counting, also in threads that start from now on."""
        self._counting = (sys.gettrace(), threading.gettrace())
        self._set(None, None)

    def resume(self) -> None:
        """Count again."""
        self._set(*self._counting)

    @staticmethod
    def _set(here: Any, in_threads: Any) -> None:
        sys.settrace(here)
        threading.settrace(in_threads)

    @contextmanager
    def during(self, item: pytest.Item) -> Iterator[None]:
        """Count meanwhile, if the test is a counted one."""
        if not _counts(item.config) or item.get_closest_marker("uncounted") is not None:
            yield
            return
        self.resume()
        try:
            yield
        finally:
            self.pause()


_MEASUREMENT = _Measurement()


def _counts(config: pytest.Config) -> bool:
    """Whether pytest-cov counts; a debugger traces, too, and goes on."""
    return config.pluginmanager.hasplugin("_cov")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Count nothing between tests, nor in the process that hands them out."""
    if not _counts(session.config):
        return (yield)
    _MEASUREMENT.pause()
    try:
        return (yield)
    finally:
        _MEASUREMENT.resume()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Count in the fixtures of a counted test."""
    with _MEASUREMENT.during(item):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Count in a counted test."""
    with _MEASUREMENT.during(item):
        return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a test needed a second run; pytest does not."""
    for report in terminalreporter.stats.get("rerun", ()):
        why = [line for line in report.longreprtext.splitlines() if line.startswith("E ")]
        terminalreporter.write_line(f"RERUN {report.nodeid}: {' '.join(why[:6])}")


def pytest_collection_finish() -> None:
    """Keep the garbage collector from visiting all tests and modules again and again: a tenth of the computing time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _own_main_module() -> Iterator[None]:
    """Put `__main__` back: AppTest leaves its script there, and every process that spawns later would run it."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photos and cases outside the repository; a test without it fails in CI and is skipped elsewhere."""
    if not SHARED.is_dir():
        reason = "the folder ../shared with photos and reference cases is missing"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return SHARED
