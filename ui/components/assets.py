"""The parts of the components: their CSS and JavaScript, their events, the addresses of their pictures."""

import base64
import json
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from html import escape
from pathlib import Path
from typing import Any, Final, Literal

import streamlit as st
from streamlit import runtime

from tilescore.datasets.artwork import FACES_FOLDER
from tilescore.scoring.tiles import ALL_FACES, Tile
from tilescore.ui.words.text import language, tile_name

_HERE: Final = Path(__file__).parent


def draw(
    name: str,
    *parts: str,
    key: str,
    data: Mapping[str, Any],
    width: Literal["stretch", "content"] = "stretch",
    **events: Callable[[dict[str, Any]], object],
) -> None:
    """Draw the component made of `name`.js, the scripts of its parts, and `name`.css.

    Each function of `events` gets the fresh events of its name, before the page is drawn again.
    """
    css, js = sources(name, *parts)
    mount = st.components.v2.component(f"tilescore_{name}", css=css, js=js)  # the second time it changes nothing
    heard: dict[str, Any] = {f"on_{event}_change": partial(_hear, key, event, act) for event, act in events.items()}
    # In a dictionary Streamlit looks for tables, and loads pandas and pyarrow for that, a fifth of the first start.
    mount(key=key, data=[{**data, "turn": _turn(key, data)}], width=width, **heard)


def _hear(key: str, name: str, act: Callable[[dict[str, Any]], object]) -> None:
    event = fresh_event(key, name)
    if event:
        act(event)


@cache
def sources(name: str, *parts: str) -> tuple[str, str]:
    """The CSS and the JavaScript of a component."""
    paths = {path.name: path for path in _HERE.rglob("*.*")}

    def read(*files: str) -> str:
        return "\n".join(paths[file].read_text(encoding="utf-8") for file in files if file in paths)

    scripts = ("component", "picker", name, *parts)
    return read("tiles.css", f"{name}.css"), read(*(f"{script}.js" for script in scripts))


def deck() -> dict[str, Mapping[str, str]]:
    """Picture address and name of every tile by its text, as all components expect them."""
    return {"faces": {text: _face(text) for text in _face_files()}, "names": _names(language())}


def tile_pictures(tiles: Iterable[Tile]) -> str:
    """The faces of these tiles as HTML."""
    names = _names(language())
    return "".join(f'<img src="{_face(text)}" alt="{escape(names[text])}">' for text in map(str, tiles))


def _face(text: str) -> str:
    return media_url(_face_files()[text], "image/svg+xml", f"face.{text}")


def media_url(data: bytes, mimetype: str, place: str) -> str:
    """The address of these bytes for the browser of this session; it loads them once, however often the page is drawn.

    The address is relative to the page: a proxy may serve all pages below a base path.
    `place` names the slot on the page: new bytes replace the old ones in it.
    """
    if runtime.exists():
        url: Any = runtime.get_instance().media_file_mgr.add(data, mimetype, f"tilescore.{place}")
        return str(url).removeprefix("/")
    return f"data:{mimetype};base64,{base64.b64encode(data).decode()}"


def fresh_event(key: str, name: str) -> dict[str, Any]:
    """The event that the component under `key` reports; empty if it is malformed, was handled before or comes too late.

    Every event carries a rising `id`, so that none is applied twice. A component sends its next event when the last one
    is done. An event comes too late once another page is drawn, without the component.
    """
    event = st.session_state[key].get(name) if key in st.session_state else None
    if not isinstance(event, dict) or not isinstance(event.get("id"), int):
        return {}
    if event["id"] <= last_event(key):
        return {}
    st.session_state[f"{key}.last"] = event["id"]
    return event


def last_event(key: str) -> int:
    """The `id` of the event that was handled last: the component waits for it before it sends the next one."""
    last: int = st.session_state.get(f"{key}.last", 0)
    return last


def _turn(key: str, data: Mapping[str, Any]) -> dict[str, int]:
    """Which data of this component these are: a number that rises with every change, within one session."""
    session: int = st.session_state.setdefault("components.session", time.time_ns() // 1_000_000)
    shown, number = st.session_state.get(f"{key}.drawn", (None, 0))
    given = hash(json.dumps(data, default=str))  # the data themselves would fill the memory, hand by hand
    if shown != given:
        number += 1
        st.session_state[f"{key}.drawn"] = (given, number)
    return {"session": session, "number": number}


@cache
def _face_files() -> Mapping[str, bytes]:
    return {str(tile): (FACES_FOLDER / f"{tile}.svg").read_bytes() for tile in ALL_FACES}


@cache
def _names(_language: str) -> Mapping[str, str]:
    return {str(tile): tile_name(tile) for tile in ALL_FACES}
