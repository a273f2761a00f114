"""Who reads the app how: colours that can be told apart, a name for everything, and no language mixed into another."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

from tilescore.ui.locale import ENGLISH, LANGUAGES, WORDS, place
from tilescore.ui.locale.update import forms, key_of, read
from tilescore.ui.words import text

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[3]
THEME = tomllib.loads((ROOT / "ui" / "server" / "streamlit.toml").read_text(encoding="utf-8"))["theme"]
STYLES = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "ui").rglob("*.css"))}
LEAST = 4.5
"""Contrast of text that WCAG 2.2 asks for at level AA."""
FOREIGN = [code for code in LANGUAGES if code != ENGLISH]

Colour = tuple[float, float, float]


def colour(text_: str) -> Colour:
    digits = text_.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[place_ : place_ + 2], 16) / 255 for place_ in (0, 2, 4))
    return red, green, blue


def mixed(top: Colour, below: Colour, share: float) -> Colour:
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(top, below, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Ratio of WCAG 2.2."""

    def light(shade: Colour) -> float:
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shade)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def variables(scheme: str) -> dict[str, Colour]:
    """Colours to which our style gives names, light or dark."""
    pairs = re.findall(r"(--[\w-]+): *light-dark\((#[0-9a-f]+), *(#[0-9a-f]+)\)", STYLES["style.css"])
    return {key: colour(dark if scheme == "dark" else bright) for key, bright, dark in pairs}


def pairs_of(scheme: str) -> Iterator[tuple[str, Colour, Colour]]:
    """What stands on what: a name, the colour of the text, that of the ground."""
    theme = {key: colour(value) for key, value in THEME[scheme].items()}
    grounds = {key: theme[key] for key in ("backgroundColor", "secondaryBackgroundColor")}
    for ground, below in grounds.items():
        for key in ("textColor", "primaryColor", "linkColor"):
            yield f"{key} on {ground}", theme[key], below
        yield f"quiet words on {ground}", mixed(theme["textColor"], theme["backgroundColor"], 0.74), below
        yield f"promise on {ground}", mixed(theme["textColor"], below, 0.82), below
    yield "words on a primary button", theme["backgroundColor"], theme["primaryColor"]
    page = variables(scheme)
    for ground in ("--ts-ground", "--ts-card", "--ts-felt"):
        for key in ("--ts-primary", "--ts-ink", "--ts-loss", "--ts-quiet"):
            yield f"{key} on {ground}", page[key], page[ground]
    for key in ("--ts-two", "--ts-three", "--ts-four"):
        yield f"{key} on --ts-ground", page[key], page["--ts-ground"]
    gold = colour("#ffc940")
    yield "a chosen line", theme["textColor"], mixed(gold, theme["backgroundColor"], 0.22)
    chosen = mixed(theme["primaryColor"], theme["backgroundColor"], 0.12)
    yield "the head of an open fan", theme["textColor"], chosen
    yield "the number of an open fan", mixed(theme["textColor"], theme["backgroundColor"], 0.74), chosen
    yield "a question mark", colour("#ffffff"), colour("#c2501a")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_told_from_their_ground(scheme: str) -> None:
    weak = {name: round(ratio, 2) for name, a, b in pairs_of(scheme) if (ratio := contrast(a, b)) < LEAST}
    assert not weak


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_browsers_without_light_dark_show_the_same_colours(scheme: str) -> None:
    """Safari knows it since 17.5, Chrome since 123."""
    older = STYLES["style.css"].partition("@supports not (color: light-dark(red, red))")[2]
    named = [
        dict(re.findall(r"(--[\w-]+): *(#[0-9a-f]+);", rules))
        for rules in re.findall(r":root {(.+?)}", older, re.DOTALL)
    ]
    assert {key: colour(value) for key, value in named[scheme == "dark"].items()} == variables(scheme)


@pytest.mark.parametrize("role", ["won", "drew", "paid"])
def test_a_seat_shows_what_a_tap_has_said_of_it(role: str) -> None:
    assert re.search(rf"\.seat[^{{]*\.{role}\b", STYLES["drawing.css"])


@pytest.mark.parametrize("name", sorted(STYLES.keys() - {"style.css"}))
def test_only_one_style_needs_light_dark(name: str) -> None:
    assert "light-dark" not in STYLES[name]


def test_contrast_is_measured_right() -> None:
    assert contrast(colour("#fff"), colour("#000")) == pytest.approx(21)
    assert contrast(colour("#777777"), colour("#ffffff")) == pytest.approx(4.48, abs=0.01)


# --- names and languages


class Told(HTMLParser):
    """What markup tells: its words, and pictures without any."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.mute: list[str] = []
        self.feed(markup)

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self.words.append(data.strip())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what stands in for a picture, and pictures for which nothing does."""
        given = dict(attrs)
        if tag == "img" and not given.get("alt"):
            self.mute.append(str(given.get("src"))[-40:])
        self.words += [given[name] or "" for name in ("alt", "aria-label", "title") if name in given]


def page(name: str) -> AppTest:
    """The app on that page, in the language that the test speaks."""
    app = AppTest.from_file(str(ROOT / "ui" / "start" / "app.py"), default_timeout=120)
    app.session_state["go_to"] = (name, {})
    return app


def labels(app: AppTest) -> list[str]:
    """Names of everything that can be used."""
    kinds = ("button", "button_group", "selectbox", "text_input", "number_input", "toggle", "file_uploader", "expander")
    return [str(getattr(element, "label", "")) for kind in kinds for element in app.get(kind)]


@pytest.mark.parametrize("name", STYLES)
def test_a_held_finger_selects_no_text_in_safari(name: str) -> None:
    assert not re.search(r"(?<!-webkit-)user-select", STYLES[name]), "Safari knows -webkit-user-select only"


def english_only(language: str) -> set[str]:
    """English words that are others in that language."""
    english = {key_of(message): forms(message) for message in read(place(ENGLISH, WORDS, "po"), ENGLISH) if message.id}
    theirs = {key_of(message): forms(message) for message in read(place(language, WORDS, "po"), language) if message.id}
    same = {form for key in theirs for form in theirs[key]}
    return {form for key in english for form in english[key] if "{" not in form and form not in same and len(form) > 2}


@pytest.mark.parametrize("name", ["hand", "compare", "fans", "table"])
def test_everything_has_a_name_in_the_language(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    language = dict(zip(("hand", "compare", "fans", "table"), FOREIGN, strict=False))[name]
    monkeypatch.setattr(text, "_readable", lambda key: pytest.fail(f"no words for {key}"))
    app = page("hand" if name == "compare" else name)
    app.query_params["lang"] = language
    app.run()
    assert not app.exception
    if name == "compare":
        app.session_state["go_to"] = (name, {})
        app.run()
    named = labels(app)
    assert named
    assert all(named), named
    markup = [Told(unescape(element.proto.body)) for element in app.get("html") if "<style" not in element.proto.body]
    assert not [source for told in markup for source in told.mute]
    said = {word for told in markup for word in told.words} | set(named)
    assert not said & english_only(language)
