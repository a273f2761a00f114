"""Review of a labelled folder: all tiles of one class side by side, and suspicious pictures, the worst first."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import streamlit as st

from tilescore.datasets.annotation.folder import ChangedError
from tilescore.datasets.annotation.listing import ListedMark
from tilescore.datasets.checks.finding import Finding
from tilescore.datasets.marks import Mark
from tilescore.errors import InputError
from tilescore.ui.components.annotator.annotator_sheet import contact_sheet
from tilescore.ui.pages.annotate.beside import url_of
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.pages.annotate.names import mark_name, sorted_names
from tilescore.ui.state.fields import remembered
from tilescore.ui.words.text import beside, explained, listed, percent, sentence, words
from tilescore.vision.image.boxes import Box

_AT_ONCE: Final = 60
_SUSPECTS_AT_ONCE: Final = 24
_ODD: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Cell:
    """A tile as the sheet was made, where it keeps its place, and its present name; empty if it was removed."""

    known: ListedMark
    now: str


@dataclass(slots=True)
class _Review:
    """What the sheets remember of one visitor."""

    name: str = ""  # the class of the sheet; empty before the first one
    start: int = 0  # the number of its first tile
    cells: list[_Cell] = field(default_factory=list)  # its tiles; empty until it is made
    undo: list[tuple[int, Mark | None]] = field(default_factory=list)  # places of fixed tiles with their marks before
    note: str = ""  # what to say once
    suspect: int = 0  # the number of the first suspect


def _review() -> _Review:
    return remembered("review", _Review)


def review_class(desk: Desk, open_picture: Callable[[str], None], *, by: str) -> None:
    """Draw the sheet of one class; the tiles with the least probable names come first."""
    counts = dict(desk.index.names())
    review = _review()
    if review.cells:
        counts.setdefault(review.name, 0)  # the last tile of the class was fixed on this sheet
    if not counts:
        st.info(words("review.no_tiles"))
        return
    names = sorted_names(counts)
    if review.name not in counts:
        _choose(names[0][0])
    if not review.cells:
        marks = desk.index.of_class(review.name, start=review.start, count=_AT_ONCE)
        review.cells = [_Cell(mark, mark.name) for mark in marks]
    name, start, cells = review.name, review.start, review.cells
    note, review.note = review.note, ""
    total = max(counts[name], start + len(cells))  # tiles that were just fixed stay on the sheet
    choice = {"label": words("annotate.with_class"), "value": name, "options": [list(pair) for pair in names]}
    _draw(
        name, start, total, [_shown(desk, cell, slot) for slot, cell in enumerate(cells)], title=mark_name(name),
        empty=words("review.no_tiles"), how=words("review.how_class"), note=sentence(note), choice=choice,
        fixable=True, undo=bool(review.undo), on_edit=lambda event: _edited(desk, event, open_picture, by),
    )  # fmt: skip


def review_suspects(desk: Desk, open_picture: Callable[[str], None]) -> None:
    """Draw the suspicious pictures, the worst first."""
    _, total = desk.index.findings(start=0, count=0)
    start = min(_review().suspect, max(0, total - 1) // _SUSPECTS_AT_ONCE * _SUSPECTS_AT_ONCE)  # some may be put right
    suspects, total = desk.index.findings(start=start, count=_SUSPECTS_AT_ONCE)

    def edited(event: Mapping[str, Any]) -> None:
        if event.get("do") == "turn":
            _review().suspect = _turned(start, _SUSPECTS_AT_ONCE, event)
        at = event.get("at")
        if event.get("do") == "open" and isinstance(at, int) and 0 <= at < len(suspects):
            open_picture(suspects[at].key)

    cells = [
        {
            "url": url_of(partial(desk.thumbnail, suspect.key), f"review.{slot}"), "title": suspect.key, "tile": "",
            "guesses": [], "caption": worded(suspect), "state": "",
        }
        for slot, suspect in enumerate(suspects)
    ]  # fmt: skip
    _draw(
        "suspects", start, total, cells, title=words("review.suspects", n=total), empty=words("review.no_suspects"),
        how=words("review.how_suspects"), note="", choice=None, fixable=False, undo=False, on_edit=edited,
    )  # fmt: skip


def worded(finding: Finding) -> str:
    """What is odd, in the language of the reader."""
    return beside(*(sentence(words(f"suspect.{remark.key}", **_named(remark.params))) for remark in finding.remarks))


def _named(params: Mapping[str, object]) -> dict[str, object]:
    """The values of a remark, with names of tiles and parts of a whole for a person."""

    def named(value: object) -> object:
        if isinstance(value, list):
            return listed(map(mark_name, value))
        return percent(value) if isinstance(value, float) else value

    return {key: named(value) for key, value in params.items()}


def _draw(
    name: str, start: int, total: int, cells: list[dict[str, Any]], *, on_edit: Callable[..., None], **more: Any
) -> None:
    """Draw the sheet of that name whose first cell is number `start` (from 0) of so many."""
    end = start + len(cells)
    place = words("review.place", first=start + 1 if cells else 0, last=end, total=total)
    sheet = {"sheet": f"{name} {start}", "cells": cells, "place": place, "more": end < total, "before": start > 0}
    contact_sheet({**sheet, **more}, on_edit=on_edit)


def _turned(start: int, count: int, event: Mapping[str, Any]) -> int:
    """The number of the first cell after an event that turns the page."""
    return max(0, start + count * (1 if event.get("step") == 1 else -1))


def _shown(desk: Desk, cell: _Cell, slot: int) -> dict[str, Any]:
    mark = cell.known
    guesses = desk.guesses(mark)
    other = next((name for name, _ in guesses if name != mark.name), "")
    if not cell.now:
        state, face, caption = "gone", "", words("review.gone")
    elif cell.now != mark.name:
        state, face, caption = "fixed", cell.now, mark_name(cell.now)
    elif mark.confidence is None:
        state, face, caption = "", "", ""
    else:
        state = "odd" if mark.confidence < _ODD else ""
        face, caption = other if state else "", percent(mark.confidence)
    return {
        "url": url_of(partial(desk.crop, mark), f"review.{slot}"), "title": mark.key, "tile": cell.now,
        "caption": caption, "state": state, "face": face,
        "guesses": [[name, round(100 * share)] for name, share in guesses],
    }  # fmt: skip


def _edited(desk: Desk, event: Mapping[str, Any], open_picture: Callable[[str], None], by: str) -> None:
    review = _review()
    cells = review.cells
    asked = event.get("at")
    at = asked if isinstance(asked, int) else -1
    cell = cells[at] if 0 <= at < len(cells) else None
    try:
        match event.get("do"):
            case "fix" if cell is not None:
                name = str(event.get("tile", ""))
                if name != cell.now:
                    mark = Mark(name, Box(*cell.known.xyxy)) if name else None
                    review.undo.append((at, _put(desk, cells, at, mark, by)))
            case "undo" if review.undo:
                _put(desk, cells, *review.undo.pop(), by)
            case "open" if cell is not None:
                open_picture(cell.known.key)
            case "choose":
                _choose(str(event.get("value", "")))
            case "turn":
                _turn(_turned(review.start, _AT_ONCE, event))
    except ChangedError as error:
        review.note = words("review.changed", name=error.params["key"])
    except InputError as error:
        review.note = explained(error)


def _put(desk: Desk, cells: list[_Cell], at: int, mark: Mark | None, by: str) -> Mark | None:
    """Put this mark, or none, in the place of a tile of the sheet; the mark that was there."""
    cell = cells[at]
    key, box = cell.known.key, Box(*cell.known.xyxy)
    try:
        before = desk.exchange(key, box, cell.now, mark, by=by)
    except ChangedError:
        cells[at] = replace(cell, now=desk.name_at(key, box))
        raise
    cells[at] = replace(cell, now="" if mark is None else mark.name)
    return before


def _choose(name: str) -> None:
    _review().name = name
    _turn(0)


def _turn(start: int) -> None:
    review = _review()
    review.start, review.cells, review.undo = start, [], []
