"""What the annotator says of a whole set."""

from pathlib import Path

import pytest

from tilescore.datasets.annotation.listing import ClassTally, Counts
from tilescore.ui.pages.annotate.overview import _hint
from tilescore.ui.words.text import speak


@pytest.mark.parametrize(("language", "share"), [("en", "87.5 %"), ("ru", "87,5 %"), ("pl", "87,5 %")])
def test_a_share_has_the_decimal_sign_of_the_language(language: str, share: str) -> None:
    tally = ClassTally("1m", labels=40, checked=40, compared=40, alike=35)
    speak(lambda: language)
    try:
        assert share in _hint(Path("drawer"), Counts(pictures=40, checked=40, doubtful=0), (tally,))
    finally:
        speak(lambda: "en")
