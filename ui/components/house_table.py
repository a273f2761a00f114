"""The house table of a game as people edit it: what a line is worth as printed, and what it is worth at their table."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from tilescore.base.errors import InputError
from tilescore.scoring.house import HOUSE, MOST_LETTERS, house_of, house_text
from tilescore.scoring.ruleset import ruleset
from tilescore.ui.components.header import variables
from tilescore.ui.state import house_rules
from tilescore.ui.state.kept import visit
from tilescore.ui.words.text import explained, plain, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tilescore.scoring.ruleset import RuleEntry

_OUT: Final = "–"
"""What people read and write for a line that does not count; other dashes are read, too."""
_DASHES: Final = ("-", "−", "—", _OUT)
_FEW: Final = 12
"""Lines that are drawn before somebody asks for all (chosen): a phone draws them at once."""
_WRONG: Final = "house.wrong"
_ROUND: Final = "house.round"
"""How often the fields have been filled anew; a part of their keys."""


def offer_house_table(name: str, *, key: str) -> None:
    """Draw the button that opens the table."""
    own = len(_ours(name))
    label = words("house.table_own", n=own) if own else words("house.table")
    if st.button(label, key=f"{key}.{name}.table", icon=":material/table_rows:", width="stretch"):
        st.session_state.pop(_WRONG, None)
        st.dialog(words("house.table"), width="medium", on_dismiss="rerun")(_edit)(name)


def _edit(name: str) -> None:
    """Draw the search, the lines, and the ways in and out of a table."""
    st.caption(words("house.how"))
    asked = st.text_input(words("house.search"), key="house.search", icon=":material/search:").strip().casefold()
    ours, printed = _ours(name), _printed(name)
    found = [entry for entry in printed if asked in words(entry.key).casefold() or asked in entry.key]
    found.sort(key=lambda entry: entry.key not in ours)
    every = st.session_state.get("house.every") or len(found) <= _FEW
    with st.container(key="ts_house_lines", gap="small"):
        _row("", words("house.printed"), words("house.ours"))
        for entry in found if every else found[:_FEW]:
            _ask(name, entry, ours)
    if not found:
        st.caption(words("house.none"))
    if not every:
        st.button(words("house.more", n=len(found)), key="house.more", on_click=_show_all, width="stretch")
    if _WRONG in st.session_state:
        st.error(plain(st.session_state[_WRONG]))
    _share(name, ours)
    visit.keep()


def _show_all() -> None:
    st.session_state["house.every"] = True


def _row(first: str, second: str, third: str = "") -> object:
    """Draw the cells of a row and return the place of the third."""
    cells = st.columns([5, 2, 2], wrap=False, vertical_alignment="center", gap="small")
    for cell, text in zip(cells, (first, second, third), strict=True):
        if text:
            cell.markdown(plain(text))
    return cells[2]


def _ask(name: str, entry: RuleEntry, ours: Mapping[str, int | None]) -> None:
    worth = ours.get(entry.key)
    shown = "" if entry.key not in ours else _OUT if worth is None else str(worth)
    key = f"house.{st.session_state.get(_ROUND, 0)}.{entry.key}"
    value = words("fans.limit") if entry.value == "limit" else entry.value
    with _row(words(entry.key), value):  # type: ignore[attr-defined]  # a place of Streamlit
        st.text_input(
            f"{words(entry.key)}: {words('house.ours')}", shown, key=key, label_visibility="collapsed",
            placeholder=value, max_chars=6, autocomplete="off", on_change=_typed, args=(name, entry.key, key),
        )  # fmt: skip


def _typed(name: str, line: str, key: str) -> None:
    """Take what a person typed for a line; a value that no line has is said and changes nothing."""
    text = str(st.session_state[key]).strip()
    kept = {other: worth for other, worth in _ours(name).items() if other != line}
    if text:
        row = f"{line},{'' if text in _DASHES else text}"
        try:
            kept |= dict(house_of(row, ruleset(name)))
        except InputError:
            st.session_state[_WRONG] = words("house.bad_value", line=words(line), text=text)
            return
    _choose(name, kept)


def _choose(name: str, ours: Mapping[str, int | None]) -> None:
    """Play with this table from now on, its lines in the order of the rules."""
    rows = tuple((entry.key, ours[entry.key]) for entry in _printed(name) if entry.key in ours)
    others = {key: value for key, value in house_rules.options(name).items() if key != HOUSE}
    chosen = {**others, HOUSE: house_text(rows)} if rows else others
    try:
        ruleset(name, chosen)
    except InputError as error:
        st.session_state[_WRONG] = explained(error)
        return
    st.session_state.pop(_WRONG, None)
    house_rules.choose(name, chosen)


def take(name: str, text: str) -> None:
    """Play with the table in that text; raises InputError that names the row."""
    _choose(name, dict(house_of(text, ruleset(name))))
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1


def _share(name: str, ours: Mapping[str, int | None]) -> None:
    """Draw the table as a file and as a link, and what takes one in or begins afresh."""
    if ours:
        text = str(house_rules.options(name)[HOUSE])
        with st.container(horizontal=True):
            st.download_button(
                words("house.file"), f"line,value\n{text}\n", f"tilescore-{name}-house.csv", "text/csv",
                key="house.file", icon=":material/download:", on_click="ignore",
            )  # fmt: skip
            st.button(
                words("house.as_printed"), key="house.as_printed", icon=":material/restart_alt:", type="tertiary",
                on_click=take, args=(name, ""),
            )  # fmt: skip
        st.caption(words("house.link"))
        st.code(_link(name, text), language=None, wrap_lines=True)
    key = f"house.upload.{st.session_state.get(_ROUND, 0)}"
    label = words("house.upload")
    st.html(f"<style>.st-key-ts_house_file {{ {variables({'photograph': label})} }}</style>")
    with st.container(key="ts_house_file"):
        st.file_uploader(
            label, ["csv", "txt"], key=key, label_visibility="collapsed", on_change=_taken, args=(name, key)
        )


def _taken(name: str, key: str) -> None:
    """Take the table of the file that a person chose."""
    file = st.session_state[key]
    if file is None:
        return
    data = file.getvalue()[: 4 * MOST_LETTERS + 4]
    try:
        take(name, data.decode(json.detect_encoding(data), "replace").removeprefix("\ufeff"))
    except InputError as error:
        st.session_state[_WRONG] = explained(error)


def _link(name: str, text: str) -> str:
    """The address at which the page of hands offers this table."""
    here = urlsplit(st.context.url or "")
    query = urlencode({"rules": name, HOUSE: text})
    return here._replace(path=here.path.rpartition("/")[0] + "/", query=query, fragment="").geturl()


def _ours(name: str) -> Mapping[str, int | None]:
    """The lines with a value of the house; none where the table is of another version."""
    try:
        return dict(house_of(str(house_rules.options(name).get(HOUSE, "")), ruleset(name)))
    except InputError:
        return {}


def _printed(name: str) -> Sequence[RuleEntry]:
    """The lines that a house can change, with their printed values under the other options."""
    others = {key: value for key, value in house_rules.options(name).items() if key != HOUSE}
    return [entry for entry in ruleset(name, others).rules() if entry.worth is not None]
