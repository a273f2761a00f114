"""The names of the classes in a set of another program: what each is taken to mean, with crops and a menu."""

from html import escape
from typing import Final

import streamlit as st

from tilescore.datasets.labels import CLASS_NAMES, ClassName
from tilescore.scoring.tiles import Tile
from tilescore.ui.components.assets import media_url
from tilescore.ui.components.document.messages import show_error, show_warning
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.words.text import beside, grouped, listed, plain, telling, tile_name, words

_AT_ONCE: Final = 40
"""Names on one page of the list."""
_NO_TILE: Final = "none"
_OPEN: Final = "?"
_PAGE: Final = "names.page"
_SAVED: Final = "names.saved"
_MENU: Final = "names.meaning."
"""What the key of a menu begins with; the choice that it shows at first and the name follow."""
_CHOICES: Final = (_OPEN, *CLASS_NAMES, _NO_TILE)


def name_classes(desk: Desk) -> None:
    """Draw the names, those that a person must explain first."""
    classes = sorted(desk.class_names(), key=lambda entry: (entry.sure, -entry.count))
    still = sum(entry.is_open for entry in classes)
    st.html(f'<p class="ts-names-how">{escape(beside(words("names.how"), words("names.open", count=still)))}</p>')
    meanwhile = st.session_state.pop(_SAVED, None)
    if meanwhile:
        show_warning(words("names.meanwhile", names=listed(meanwhile)))
    elif meanwhile is not None:
        st.success(words("names.saved"))
    pages = max(1, -(-len(classes) // _AT_ONCE))
    page = st.number_input(words("names.page"), 1, pages, key=_PAGE) if pages > 1 else 1
    shown = classes[(page - 1) * _AT_ONCE : page * _AT_ONCE]
    with st.form("ts_names", border=False):
        for place, entry in enumerate(shown):
            _row(desk, entry, place)
        if st.form_submit_button(words("names.save"), type="primary"):
            _save(desk)


def _row(desk: Desk, entry: ClassName, place: int) -> None:
    """One name: how it is written, how often, five crops, and the menu."""
    with st.container(key=f"ts_name_{place}"):
        pictures = "".join(
            f'<img src="{media_url(jpeg, "image/jpeg", f"names.{place}.{at}")}" alt="">'
            for at, jpeg in enumerate(desk.class_crops(entry.name))
        )
        maybe = " / ".join(tile_name(Tile.parse(tile)) for tile in entry.candidates[:3])
        state = words("names.perhaps", tiles=maybe) if maybe and not entry.sure else ""
        st.html(
            f'<div class="ts-name{"" if entry.sure else " open"}"><b>{escape(entry.name)}</b>'
            f"<small>{escape(words('names.labels', count=entry.count))}</small><span>{pictures}</span>"
            f"<small>{escape(state)}</small></div>"
        )
        now = _choice(entry)
        st.selectbox(
            plain(words("names.meaning", name=entry.name)), _CHOICES, index=_CHOICES.index(now), format_func=_meaning,
            key=f"{_MENU}{now}.{entry.name}", label_visibility="collapsed",
        )  # fmt: skip


def _choice(entry: ClassName) -> str:
    """The choice of a menu that says what the name means now."""
    return (entry.tile or _NO_TILE) if entry.sure else _OPEN


def _meaning(choice: str) -> str:
    if choice == _OPEN:
        return words("names.unknown")
    return words("names.no_tile") if choice == _NO_TILE else f"{choice}  {tile_name(Tile.parse(choice))}"


@undisturbed()
def _save(desk: Desk) -> None:
    """Keep what this person has chosen in the menus, but for names that another one has explained meanwhile."""
    with telling(show_error):
        desk.folder.refresh()  # another program may have explained a name, too
        now = {entry.name: _choice(entry) for entry in desk.class_names()}
        said: dict[str, str | None] = {}
        meanwhile: list[str] = []
        for key in [key for key in map(str, st.session_state) if key.startswith(_MENU)]:
            shown, _, name = key.removeprefix(_MENU).partition(".")
            choice = st.session_state[key]
            if choice in (shown, now.get(name, choice), _OPEN):
                continue
            if shown == now[name]:
                said[name] = None if choice == _NO_TILE else choice
            else:
                meanwhile.append(name)
        desk.explain(said)
        st.session_state[_SAVED] = meanwhile
        st.rerun()


def mark_name(name: str) -> str:
    """The name of a mark for a person: that of its tile, or the unknown name as the set writes it."""
    return words("annotate.unknown_name", name=name[1:]) if name.startswith(_OPEN) else tile_name(Tile.parse(name))


def sorted_names(names: dict[str, int]) -> list[tuple[str, str]]:
    """Names of marks with their number, tiles in reading order, unknown names first."""
    unknown = sorted(name for name in names if name.startswith(_OPEN))
    tiles = sorted(Tile.parse(name) for name in names if not name.startswith(_OPEN))
    return [(name, f"{mark_name(name)} ({grouped(names[name])})") for name in (*unknown, *map(str, tiles))]
