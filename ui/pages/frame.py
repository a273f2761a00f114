"""The frame of every page: navigation and language."""

import os
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from tilescore.ui.components.document import language
from tilescore.ui.components.document.behaviour import behave
from tilescore.ui.components.document.connection import watch_connection
from tilescore.ui.components.header import texts_of_fields
from tilescore.ui.pages import annotate, compare, fans, guide, live
from tilescore.ui.pages.history import page as history
from tilescore.ui.pages.score import page as score
from tilescore.ui.pages.table import page as table
from tilescore.ui.state import table_game
from tilescore.ui.state.fields import drawing
from tilescore.ui.state.kept import visit, visitor
from tilescore.ui.state.route import wanted
from tilescore.ui.words.audience import is_guest
from tilescore.ui.words.text import speak, words

_NAME: Final = "Tilescore"


class _Place(NamedTuple):
    """A page: its name in the address and in `page.…` of the catalogues, its function, its icon."""

    name: str
    draw: Callable[[], None]
    icon: str


_PLACES: Final = (
    _Place("hand", score.page, "photo_camera"),
    _Place("compare", compare.page, "balance"),
    _Place("table", table.page, "table_restaurant"),
    _Place("live", live.page, "videocam"),
    _Place("fans", fans.page, "menu_book"),
    _Place("history", history.page, "history"),
)
"""The pages in the order of the navigation; people arrive on the first."""
_HELP: Final = _Place("help", guide.page, "help")
"""The page behind the question mark beside the choice of the language."""


def _draw_annotate() -> None:
    from tilescore.ui.pages.annotate.page import page  # loads all formats of labels

    page()


_ANNOTATE: Final = _Place("annotate", _draw_annotate, "ink_selection")
"""The page that comes first if a folder to label is named."""


def run() -> None:
    """Draw the app, its navigation and the chosen page; the script of Streamlit calls it."""
    st.set_page_config(page_title=_NAME, page_icon="🀄", layout="wide", initial_sidebar_state="collapsed")
    speak(language.current, to_guest=is_guest)
    texts_of_fields()
    visit.restore()
    places = (_ANNOTATE, *_PLACES) if annotate.FOLDER in os.environ else _PLACES
    pages = {place: _page(place, first=place is places[0]) for place in (*places, _HELP)}
    chosen = st.navigation([*pages.values()], position="hidden")
    st.set_page_config(page_title=f"{chosen.title} · {_NAME}")
    way = wanted()
    if way is not None:
        name, query = way
        page = next(page for place, page in pages.items() if place.name == name)
        st.switch_page(page, query_params={**table_game.address(), **query})
    if chosen.url_path != "fans":
        st.query_params.pop(fans.ADDRESS, None)  # `switch_page` names it in the address of the page before, too
    table_game.arrive()  # before the ways to the other pages are drawn, which name the game
    with st.container(horizontal=True, key="ts_top", width="content", gap=None):
        with st.container(horizontal=True, key="ts_pages", width="content", gap=None):
            for place in places:
                _link(place, pages)
        with st.container(key="ts_help", width="content", gap=None):
            _link(_HELP, pages)
        marks = st.container(key="ts_language", width="content", gap=None)
        with marks:
            language.ask()
            behave(visitor.COOKIE, visitor.visitor())
    with drawing():
        chosen.run()
    visit.keep()
    with marks:
        watch_connection()


def _link(place: _Place, pages: Mapping[_Place, StreamlitPage]) -> None:
    st.page_link(pages[place], icon=f":material/{place.icon}:", query_params=table_game.address())


def _page(place: _Place, *, first: bool) -> StreamlitPage:
    return st.Page(place.draw, title=words(f"page.{place.name}"), url_path=place.name, default=first)
