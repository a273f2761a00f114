"""What the annotator says of a whole set."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.datasets.labelled import yolo_set
from tests.ui.pages.table_app import LIMIT_S
from tilescore.datasets.annotation.listing import ClassTally, Counts
from tilescore.ui.pages.annotate.overview import _hint
from tilescore.ui.words.text import speak


@pytest.mark.parametrize(("language", "share"), [("en", "87.5%"), ("ru", "87,5\xa0%"), ("pl", "87,5%")])
def test_a_share_has_the_signs_of_the_language(language: str, share: str) -> None:
    tally = ClassTally("1m", labels=40, checked=40, compared=40, alike=35)
    speak(lambda: language)
    try:
        assert share in _hint(Path("drawer"), Counts(pictures=40, checked=40, doubtful=0), (tally,))
    finally:
        speak(lambda: "en")


SET_ALONE = """
from pathlib import Path
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.pages.annotate.overview import show_set

show_set(Desk(Path({!r})))
"""


def test_the_export_names_the_pictures_that_it_leaves_out(tmp_path: Path) -> None:
    root = yolo_set(tmp_path / "set", {"a": "0 .5 .5 .1 .2\n", "b": "0 .5 .5 .1\n"}, names=["9p"])
    app = AppTest.from_string(SET_ALONE.format(str(root)), default_timeout=LIMIT_S).run()
    app.checkbox[0].check()
    app.button[0].click().run()
    assert "1. They are in" in app.success[0].value
    assert ["left out whole: a label in it" in text.value for text in app.text] == [True]
