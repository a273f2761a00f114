"""A labelled folder stays inside itself, whichever path in it is a link, even one that comes while we work."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from tests.harness.linked_folders import LINKS, SECRET, linked, swapped
from tilescore.datasets.inside import _BY_HANDLE as BY_HANDLE
from tilescore.datasets.inside import Inside, LeavesFolderError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("link", LINKS)
def test_nothing_outside_is_read_or_written(link: str, tmp_path: Path) -> None:
    outcome = linked(tmp_path, link)
    assert outcome.changed == 0
    assert SECRET not in outcome.said
    assert "leads out of the folder" in outcome.said


@pytest.mark.parametrize("link", LINKS)
def test_a_link_that_comes_later_leads_nowhere(link: str, tmp_path: Path) -> None:
    outcome = swapped(tmp_path, link)
    assert outcome.changed == 0
    assert SECRET not in outcome.said


@pytest.fixture(params=[True, False], ids=["by handle", "by path"])
def _opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Open by the handle of the folder, then by path, as on Windows."""
    monkeypatch.setattr("tilescore.datasets.inside._BY_HANDLE", request.param and BY_HANDLE)


@pytest.mark.usefixtures("_opened")
def test_links_within_the_folder_are_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").write_bytes(b"mine")
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to(tmp_path / "b" / "x")
    inside = Inside(tmp_path)
    inside.refuse_links()
    assert inside.read(tmp_path / "b" / "x") == inside.read(tmp_path / "c") == b"mine"
    inside.write(tmp_path / "b" / "deep" / "y", b"new")
    assert (tmp_path / "a" / "deep" / "y").read_bytes() == b"new"
    inside.replace(tmp_path / "b" / "deep" / "y", tmp_path / "c")
    assert (tmp_path / "c").read_bytes() == b"new"
    assert not (tmp_path / "c").is_symlink()
    inside.remove(tmp_path / "b" / "x")
    inside.remove(tmp_path / "b")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "c", "deep"]


def test_a_folder_that_leads_out_without_being_a_link_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A junction of Windows is such a folder."""
    (tmp_path / "junction").mkdir()
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: "/elsewhere" if "junction" in str(path) else real(path))
    with pytest.raises(LeavesFolderError, match="'junction' is a link that leads out"):
        Inside(tmp_path).refuse_links()


@pytest.mark.usefixtures("_opened")
@pytest.mark.parametrize("target", ["/etc/passwd", "../../etc/passwd", "..", "/"])
def test_links_that_lead_out_are_refused(target: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(target)
    for work in (Inside(tmp_path).read, Inside(tmp_path).exists):
        with pytest.raises(LeavesFolderError, match="'link' is a link that leads out of the folder"):
            work(tmp_path / "link")


def test_replacing_a_link_leaves_its_target(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "outside").write_text("kept")
    (tmp_path / "set" / "labels.txt").symlink_to(tmp_path / "outside")
    inside = Inside(tmp_path / "set")
    inside.write(tmp_path / "set" / "next", b"new")
    inside.replace(tmp_path / "set" / "next", tmp_path / "set" / "labels.txt")
    assert (tmp_path / "outside").read_text() == "kept"
    assert (tmp_path / "set" / "labels.txt").read_bytes() == b"new"
    assert not (tmp_path / "set" / "labels.txt").is_symlink()


@pytest.mark.skipif(os.open not in os.supports_dir_fd, reason="this system has no handles of folders")
def test_a_folder_that_keeps_turning_into_a_link_never_leads_out(tmp_path: Path) -> None:
    root, outside = tmp_path / "set", tmp_path / "outside"
    for folder in (root / "labels", root / "other", outside):
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text("outside" if folder is outside else "inside")
    (root / "out").symlink_to(outside)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for name in ("out", "other"):
                os.rename(root / "labels", root / "spare")  # noqa: PTH104
                os.rename(root / name, root / "labels")  # noqa: PTH104
                os.rename(root / "labels", root / name)  # noqa: PTH104
                os.rename(root / "spare", root / "labels")  # noqa: PTH104

    swapping = threading.Thread(target=swap)
    swapping.start()
    inside, seen = Inside(root), set[bytes]()
    try:
        for _ in range(3000):
            try:
                seen.add(inside.read(root / "labels" / "a.txt"))
                inside.open(root / "labels" / "b.txt", "wb").close()
            except (OSError, LeavesFolderError):
                continue
    finally:
        stop.set()
        swapping.join()
    assert seen == {b"inside"}
    assert not (outside / "b.txt").exists()
