"""The house table of a game as people edit it: what a line is worth as printed, and what it is worth at their table."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

import streamlit as st

from tilescore.errors import InputError
from tilescore.scoring.house import HOUSE, MOST_LETTERS, house_of, house_text
from tilescore.scoring.ruleset import RuleEntry, ruleset
from tilescore.ui.components.assets import draw, last_event
from tilescore.ui.components.header import variables
from tilescore.ui.state import house_rules
from tilescore.ui.state.kept import visit
from tilescore.ui.words.search import found_by
from tilescore.ui.words.text import explained, plain, words

_OUT: Final = "–"
"""What people read and write for a line that does not count; other dashes are read, too."""
_DASHES: Final = ("-", "−", "—", _OUT)
_LINES: Final = "house_lines"
"""The key of the component."""
_WRONG: Final = "house.wrong"
"""What no line can be worth, by line; what else is wrong stands at the empty line."""
_ROUND: Final = "house.round"
"""How often the field for a file has been emptied; a part of its key."""


def offer_house_table(name: str, *, key: str) -> None:
    """Draw the button that opens the table."""
    own = len(_ours(name))
    label = words("house.table_own", n=own) if own else words("house.table")
    if st.button(label, key=f"{key}.{name}.table", icon=":material/table_rows:", width="stretch"):
        st.session_state[_WRONG] = {}
        st.dialog(words("house.table"), width="medium", on_dismiss="rerun")(_edit)(name)


def _edit(name: str) -> None:
    """Draw the lines, and the ways in and out of a table."""
    st.caption(words("house.how"))
    ours, wrong = _ours(name), _wrong()
    data = {
        "name": name,
        "rows": [_row(entry, ours) for entry in _printed(name)],
        "wrong": wrong,
        "ack": last_event(_LINES),
        "words": {part: words(f"house.{part}") for part in ("search", "printed", "ours", "none")},
    }
    draw("house_table", key=_LINES, data=data, type=partial(_typed, name))
    if "" in wrong:
        st.error(plain(wrong[""]))
    _share(name, ours)
    visit.keep()


def _row(entry: RuleEntry, ours: Mapping[str, int | None]) -> dict[str, str]:
    worth = ours.get(entry.key)
    return {
        "key": entry.key,
        "name": words(entry.key),
        "found_by": found_by(entry.key),
        "printed": words("fans.limit") if entry.value == "limit" else entry.value,
        "ours": "" if entry.key not in ours else _OUT if worth is None else str(worth),
    }


def _wrong() -> dict[str, str]:
    wrong: dict[str, str] = st.session_state.setdefault(_WRONG, {})
    return wrong


def _typed(name: str, event: Mapping[str, Any]) -> None:
    """Take what a person typed; a value that no line has is said beside it and changes nothing."""
    typed = event.get("typed")
    lines = {entry.key for entry in _printed(name)}
    for line, text in typed.items() if isinstance(typed, dict) else ():
        if line in lines:
            _take_value(name, line, str(text).strip())


def _take_value(name: str, line: str, text: str) -> None:
    kept = {other: worth for other, worth in _ours(name).items() if other != line}
    _wrong().pop(line, None)
    if text:
        row = f"{line},{'' if text in _DASHES else text}"
        try:
            kept |= dict(house_of(row, ruleset(name)))
        except InputError:
            _wrong()[line] = words("house.bad_value", line=words(line), text=text)
            return
    _choose(name, kept, line=line)


def _choose(name: str, ours: Mapping[str, int | None], *, line: str = "") -> None:
    """Play with this table from now on, its lines in the order of the rules; what is wrong is said at the line."""
    rows = tuple((entry.key, ours[entry.key]) for entry in _printed(name) if entry.key in ours)
    others = {key: value for key, value in house_rules.options(name).items() if key != HOUSE}
    chosen = {**others, HOUSE: house_text(rows)} if rows else others
    try:
        ruleset(name, chosen)
    except InputError as error:
        _wrong()[line] = explained(error)
        return
    house_rules.choose(name, chosen)


def take(name: str, text: str) -> None:
    """Play with the table in that text; raises InputError that names the row."""
    table = dict(house_of(text, ruleset(name)))
    st.session_state[_WRONG] = {}
    _choose(name, table)
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
        _wrong()[""] = explained(error)


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
    return [entry for entry in house_rules.rules(name, table=False).rules() if entry.worth is not None]
