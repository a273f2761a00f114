"""What the page does by itself, whatever it shows."""

from typing import Final

from tilescore.ui.components.assets import draw
from tilescore.ui.words.text import words

_SCRIPTS: Final = ("photo_drop", "typed", "count_up", "dialogs", "heard")
"""A photo dropped or pasted anywhere goes to the last field for photos; Enter in a field whose value stands books; the
total of a hand that is new in this tab counts up. What was typed reaches the server before another page is opened. The
back button of the browser closes a dialog. A screen reader hears what is new."""
_STREAMLITS: Final = {
    "Skip to main content": "native.skip",
    "Open": "native.open",
    "Increment": "native.more",
    "Decrement": "native.less",
    "Dismiss": "native.close",
    "Clear all": "native.clear",
    "Choose an option": "native.choose",
    "No results": "native.none",
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


def behave(cookie: str, value: str) -> None:
    """Let the page do so, and say in its words what Streamlit says in English.

    The browser keeps the value of that cookie for a year; no page of another site can make it send the value.
    """
    draw("cookie", key=f"cookie.{cookie}", data={"name": cookie, "value": value})
    translated = {english: words(key) for english, key in _STREAMLITS.items()}
    draw("names", key="names", data={**translated, _HELP: words("native.help")})
    for name in _SCRIPTS:
        draw(name, key=name, data={})
