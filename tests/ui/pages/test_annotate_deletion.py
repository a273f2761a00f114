"""Photos that were given to learn from, deleted in the annotator."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.pages.table_app import LIMIT_S
from tilescore.datasets.sample import SAMPLES
from tilescore.ui.pages.annotate import FOLDER
from tilescore.ui.storage.kept_photos import queue

PAGE = "from tilescore.ui.pages.annotate.page import page; page()"


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page with three photos; the first one is open."""
    monkeypatch.setenv("TILESCORE_DATA", str(tmp_path))
    images = queue() / "images"
    images.mkdir(parents=True)
    for name in ("a", "b", "c"):
        shutil.copy(SAMPLES / "riichi_closed.jpg", images / f"{name}.jpg")
    monkeypatch.setenv(FOLDER, str(queue()))
    return AppTest.from_string(PAGE, default_timeout=LIMIT_S).run()


def test_the_open_photo_is_deleted_and_not_the_one_with_which_the_button_came(app: AppTest) -> None:
    app.session_state["annotate"].here = "images/b.jpg"  # the picture alone is drawn anew when a person goes on
    app.button("teach.delete").click().run()
    assert sorted(path.name for path in (queue() / "images").glob("*.jpg")) == ["a.jpg", "c.jpg"]


def test_undo_brings_no_labels_of_a_deleted_photo_into_the_next_one(app: AppTest) -> None:
    assert app.session_state["annotate"].past == []
    app.session_state["annotate"].past = ["a state of the first photo"]
    app.button("teach.delete").click().run()
    assert (app.session_state["annotate"].here, app.session_state["annotate"].past) == ("images/b.jpg", [])
