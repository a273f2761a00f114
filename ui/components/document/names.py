"""The names of fields and buttons that Streamlit makes, in the language of the page."""

from __future__ import annotations

from typing import Final

from tilescore.ui.components.assets import renderer
from tilescore.ui.words.text import words

_STREAMLITS: Final = {
    "Skip to main content": "native.skip",
    "Open": "native.open",
    "Increment": "native.more",
    "Decrement": "native.less",
    "Dismiss": "native.close",
    "Clear all": "native.clear",
    "file upload": "source.file",
    "Upload": "source.photograph",
    "Take Photo": "native.take",
    "Clear photo": "native.again",
    "This app would like to use your camera.": "native.allow",
    "Close": "native.close",
    "Page not found": "native.lost",
    "The page that you have requested does not seem to exist. Running the app's main page.": "native.lost_why",
}
"""What Streamlit 1.67 says, and the key of our words for it."""
_HELP: Final = "Help for "
"""What stands before the name of the field that a sign explains."""


def names() -> None:
    """Say in the words of the page what Streamlit says in English, and take the signs of Markdown out of labels."""
    translated = {english: words(key) for english, key in _STREAMLITS.items()}
    renderer("names")(key="names", data={**translated, _HELP: words("native.help")})
