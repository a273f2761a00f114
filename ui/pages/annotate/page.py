"""The annotation page, where a person labels the pictures of one folder or reviews odd labels."""

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tilescore.datasets.annotation.folder import ChangedError
from tilescore.datasets.annotation.listing import EVERYTHING, ListFilter, PictureEntry
from tilescore.datasets.marks import Annotation
from tilescore.errors import InputError
from tilescore.ui.components.annotator.annotator import annotator
from tilescore.ui.components.assets import draw, media_url
from tilescore.ui.components.deletion import offer_deletion, show_owed
from tilescore.ui.components.document.messages import show_error
from tilescore.ui.components.header import header
from tilescore.ui.pages.annotate import FOLDER, MODEL
from tilescore.ui.pages.annotate.beside import STATES, choosers, loaded_early, strip
from tilescore.ui.pages.annotate.desk import Desk, ShownPicture
from tilescore.ui.pages.annotate.following import film_work, is_film, show_work
from tilescore.ui.pages.annotate.names import name_classes
from tilescore.ui.pages.annotate.overview import list_problems, show_set
from tilescore.ui.pages.annotate.review import review_class, review_suspects
from tilescore.ui.state.fields import remembered
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.storage.kept_photos import forget, queue
from tilescore.ui.words.text import beside, explained, sentence, telling, words

_STYLE: Final = Path(__file__).with_name("annotate.css")
_VIEWS: Final = ("label", "class", "suspects", "set")
_NAMES: Final = "names"
"""The view that a set with foreign class names has in addition."""
_VIEW: Final = "annotate.shown"
_WANTED: Final = ("unchecked", "doubtful", "unjudged")
"""States of pictures that a key goes on to."""
_COOKIE: Final = "tilescore_annotate"
"""Where the browser was, so that a reload or a restart of the server goes on there."""


@dataclass(slots=True)
class _Visit:
    """What the page remembers of one visitor."""

    here: str | None = None  # the key of the open picture; None before the first one, empty if there is none
    choice: ListFilter = EVERYTHING  # which pictures are shown, in which order
    note: str = ""  # what to say once
    refused: Any = 0  # the `id` of the event that was refused last
    past: list[Annotation] | None = None  # earlier saved states of the open picture; None until it is shown
    arrived: bool = False  # whether the index has taken in what changed on the disk before this visit


def _visit() -> _Visit:
    return remembered("annotate", _came_back)


def _came_back() -> _Visit:
    """The visit at the picture and with the choice that this browser had in this folder."""
    kept = dict(parse_qsl(st.context.cookies.get(_COOKIE, "")))
    if kept.get("folder") != _short(os.environ[FOLDER]):
        return _Visit()
    choice = ListFilter(kept.get("state", "all"), kept.get("name", ""), by_doubt="order" in kept)
    return _Visit(here=kept.get("picture"), choice=choice)


def page() -> None:
    """Draw the page."""
    st.html(_STYLE)
    root = os.environ[FOLDER]
    header(Path(root).name)
    try:
        desk = _open(root)
    except InputError as error:
        show_error(explained(error))
        return
    if desk.index.first() is None:
        _show_none(desk)
    else:
        _show(desk)


def _show(desk: Desk) -> None:
    views = (*_VIEWS, _NAMES) if desk.folder.classes.are_foreign else _VIEWS
    first = _NAMES if desk.open_names() else _VIEWS[0]
    with st.container(key="ts_view", width="content"):
        view = st.segmented_control(
            words("annotate.view"), views, default=first, key=_VIEW, required=True, label_visibility="collapsed",
            format_func=lambda name: words(f"annotate.view.{name}"), persist_state="session",
        )  # fmt: skip
    draw = {
        "class": partial(review_class, desk, _open_picture, by=_visitor()), _NAMES: partial(name_classes, desk),
        "suspects": partial(review_suspects, desk, _open_picture), "set": partial(show_set, desk),
    }.get(view)  # fmt: skip
    if draw is None:
        _label(desk)
        _offer_deletion(desk)
    else:
        draw()
        _show_problems(desk)


def _offer_deletion(desk: Desk) -> None:
    """Draw the buttons that delete photos which were given to learn from."""
    if desk.folder.root.resolve() != queue().resolve() or _visit().here is None:
        return
    show_owed()
    for name, everything in (("delete", False), ("delete_all", True)):
        offer_deletion(
            words(f"teach.{name}"), words(f"teach.{name}_text"), key=f"teach.{name}",
            on_click=partial(_delete, desk, everything=everything),
        )  # fmt: skip


def _delete(desk: Desk, *, everything: bool) -> None:
    """Delete all pictures, or the open one: another may be open than when the button was drawn."""
    with telling(_note):
        keys = [picture.key for picture in desk.folder.pictures()[0]] if everything else [_visit().here or ""]
        forget(keys, desk.folder.root)
    desk.index.refresh()
    first = desk.index.first()
    _turn_to("" if first is None else first.key)


def _open_picture(key: str) -> None:
    _turn_to(key)
    st.session_state[_VIEW] = _VIEWS[0]


@st.cache_resource(show_spinner=False)
def _desk(root: str) -> Desk:
    bar = st.progress(0.0, words("annotate.indexing"))

    def show(done: int, total: int) -> None:
        bar.progress(done / max(1, total), words("annotate.indexing"))

    try:
        return Desk(Path(root), show, model=os.environ.get(MODEL, ""))
    finally:
        bar.empty()


def _open(root: str) -> Desk:
    """The indexed folder; the index takes in changes on the disk when a visitor arrives."""
    desk = _desk(root)
    desk.require_folder()
    if not _visit().arrived:
        desk.index.refresh()
        _visit().arrived = True
    return desk


@st.fragment
def _label(desk: Desk) -> None:
    choice = _visit().choice
    try:
        with undisturbed():  # a note is forgotten once it is drawn
            data = _data_here(desk, choice)
            if data is not None:
                annotator(data, on_edit=lambda event: _edited(desk, event))
                _keep(data["key"], choice)
    except InputError as error:
        show_error(explained(error))
        return
    if data is None:
        visit = _visit()
        if visit.note:
            show_error(visit.note)
            visit.note = ""
        _show_none(desk)
        return
    show_work(film_work(desk), _note)
    desk.predict_ahead(data["key"], choice)
    _show_problems(desk)  # drawn anew with each picture, because one may just have been set aside


def _data_here(desk: Desk, choice: ListFilter) -> dict[str, Any] | None:
    """The data of this picture, or of the next one that can be opened; None if there is none; raises InputError."""
    while here := _visit().here or _start(desk):
        try:
            shown = desk.show(here)
            desk.open_by[_session()] = here
            if _visit().past is None:
                _visit().past = list(shown.opened.past)
            return _data(desk, shown, choice)
        except InputError as error:
            if desk.index.entry(here) is not None:  # the picture is sound, and the fault lies elsewhere
                raise
            _note(explained(error))
            beside = desk.index.beside(here, choice, 1) or desk.index.beside(here, choice, -1)
            _turn_to(beside[0].key if beside else "")
    return None


def _keep(key: str, choice: ListFilter) -> None:
    kept = {"folder": _short(os.environ[FOLDER]), "picture": key, "state": choice.state, "name": choice.name}
    value = urlencode(kept | ({"order": "doubt"} if choice.by_doubt else {}))
    draw("cookie", key=f"cookie.{_COOKIE}", data={"name": _COOKIE, "value": value})


def _start(desk: Desk) -> str:
    """Turn to the first picture that is not checked."""
    entries = _next_of(desk, ListFilter("unchecked")) or desk.index.beside("", EVERYTHING, 1)
    key = entries[0].key if entries else ""
    _turn_to(key)
    return key


# Data of the annotator


def _data(desk: Desk, shown: ShownPicture, choice: ListFilter) -> dict[str, Any]:
    key, now = shown.file.key, shown.opened.now
    width, height = shown.size_wh
    ahead = loaded_early(desk, key, choice)
    counts = desk.index.counts()
    place, total = desk.index.place(key, choice)
    visit = _visit()
    notes = [visit.note, *(str(problem) for problem in shown.opened.problems)]
    visit.note = ""
    return now.to_json() | {
        "key": key,
        "title": key,
        "place": words("annotate.place", place=place, total=total),
        "progress": words("annotate.progress", done=counts.checked, total=counts.pictures),
        "tiles": words("annotate.tiles", n=len(now.marks)),
        "counts": {"checked": counts.checked, "pictures": counts.pictures},
        "photo": {"url": media_url(desk.picture(shown.file), "image/jpeg", "annotate.photo"), "w": width, "h": height},
        "ahead": ahead,
        "guesses": shown.guesses(now.marks),
        "film": strip(desk, key, choice),
        "follows": is_film(desk, key),
        "choices": choosers(desk, choice),
        "note": sentence(beside(*notes)),
        "refused": visit.refused,
        "rewind": bool(visit.past),
    }


# Events of the annotator


def _edited(desk: Desk, event: Mapping[str, Any]) -> None:
    """Apply an event of the annotator; an impossible one changes nothing and shows a note."""
    key, by = str(event.get("key", "")), _visitor()
    state = event.get("state")
    version: int = state.get("version", -1) if isinstance(state, dict) else -1
    try:
        match event.get("do"):
            case "save":
                _save(desk, key, state, by)
            case "rewind":
                _rewind(desk, key, version, by)
            case "copy":
                if desk.copy_before(key, version, by=by) is None:
                    _note(words("annotate.nothing_before"))
            case "propose":
                desk.propose(key, version, by=by)
            case "follow":
                film_work(desk).start(key)
            case "go":
                _go(desk, key, event)
    except ChangedError as error:
        _visit().refused, _visit().past = event.get("id"), None
        _note(words("annotate.changed", name=error.params.get("key", key)))
    except InputError as error:
        _visit().refused = event.get("id")
        _note(explained(error))


def _save(desk: Desk, key: str, state: object, by: str) -> None:
    kept = desk.save(key, state, by=by)
    if isinstance(state, dict) and state.get("checked") and not kept.checked:
        _note(words("annotate.open_names"))


def _rewind(desk: Desk, key: str, version: int, by: str) -> None:
    """Undo beyond this visit: go back to an earlier saved state of the picture; raises ChangedError, InputError."""
    past = (_visit().past or []) if key == _visit().here else []  # an event may come again after the page has moved on
    now = replace(desk.show(key).opened.now, version=version)
    while past:
        before = replace(past.pop(), version=version)
        if before != now:
            desk.keep(desk.index.file(key), before, by=by)
            return


def _go(desk: Desk, key: str, event: Mapping[str, Any]) -> None:
    choice, target = _visit().choice, str(event.get("to"))
    entries: tuple[PictureEntry, ...] = ()
    match target:
        case "next" | "previous":
            entries = desk.index.beside(key, choice, 1 if target == "next" else -1)
        case "first":
            entries = desk.index.beside("", choice, 1)
        case "last":
            entries = desk.index.beside("", choice, -1)
        case _ if target in _WANTED:
            entries = _next_of(desk, replace(choice, state=target), key)
        case "key":
            entries = tuple(filter(None, [desk.index.entry(str(event.get("to_key", "")))]))
        case "choice":
            entries = _choose(desk, key, event)
    if target == "unchecked" and desk.has_open_names(desk.show(key).opened.now):
        _note(words("annotate.open_names"))
    if entries:
        _turn_to(entries[0].key)
    else:
        _note(words(f"annotate.no_{target}" if target in (*_WANTED, "choice") else "annotate.no_more"))


def _next_of(desk: Desk, wanted: ListFilter, key: str = "") -> tuple[PictureEntry, ...]:
    """The next picture of a list, if need be from its beginning on; one that nobody else has open, if there is one."""
    taken = {other for session, other in [*desk.open_by.items()] if session != _session() and _is_here(session)}
    while True:
        listed = [e for after in (key, "") for e in desk.index.beside(after, wanted, len(taken) + 2) if e.key != key]
        free = [entry for entry in listed if entry.key not in taken]
        found = tuple((free or listed)[:1])
        if not found or desk.knows(found[0]):
            return found


def _choose(desk: Desk, key: str, event: Mapping[str, Any]) -> tuple[PictureEntry, ...]:
    """Choose other pictures or another order; stay on this picture if it is among them."""
    value, choice = str(event.get("value", "")), _visit().choice
    match event.get("choice"):
        case 0 if value in STATES:
            choice = replace(choice, state=value)
        case 1:
            choice = replace(choice, name=value)
        case 2:
            choice = replace(choice, by_doubt=value == "doubt")
    _visit().choice = choice
    if desk.index.holds(key, choice):
        return tuple(filter(None, [desk.index.entry(key)]))
    return desk.index.beside("", choice, 1)


def _turn_to(key: str) -> None:
    visit = _visit()
    visit.past = visit.past if key == visit.here else None
    visit.here, visit.refused = key, 0


def _note(text: str) -> None:
    _visit().note = text


def _visitor() -> str:
    """A short name for the person at this browser, for the history."""
    return f"visitor {_short(_session())}"


def _session() -> str:
    """What Streamlit calls the visit of this browser."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def _is_here(session: str) -> bool:
    """Whether the browser of a visit is still connected."""
    return runtime.exists() and runtime.get_instance().is_active_session(session)


def _short(text: str) -> str:
    """Six hexadecimal digits that stand for a text without showing it."""
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def _show_none(desk: Desk) -> None:
    st.info(words("annotate.no_pictures"))
    _show_problems(desk)


def _show_problems(desk: Desk) -> None:
    """List the pictures that cannot be labelled."""
    if desk.index.problems:
        with st.expander(words("annotate.problems", n=len(desk.index.problems))):
            list_problems(desk.index.problems)
