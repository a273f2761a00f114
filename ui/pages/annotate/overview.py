"""The set as a whole: labels by class, whether training would pay, and the export."""

from collections.abc import Sequence
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import Final

import streamlit as st

from tilescore.datasets import formats
from tilescore.datasets.annotation.listing import ClassTally, Counts
from tilescore.datasets.labels import Problem, complete
from tilescore.errors import InputError
from tilescore.printable import as_argument
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.pages.annotate.names import mark_name
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.words.text import explained, grouped, percent, plain, sentence, words

_ENOUGH: Final = 20
"""Training pays from about this many checked pictures on; see docs/learn.md."""
_LITTLE_TO_GAIN: Final = 0.98
"""Training gains little where the model names this share of the tiles as a person does (chosen)."""
_FORMAT: Final = "set.format"
_ALL: Final = "set.unchecked_too"
_DONE: Final = "set.done"


def show_set(desk: Desk) -> None:
    """Draw the counts, the hint and the export."""
    counts, classes = desk.index.counts(), desk.index.tally()
    done = words("annotate.progress", done=counts.checked, total=counts.pictures)
    st.html(f'<p class="ts-set-how">{escape(done)}</p>')
    st.info(plain(_hint(desk.folder.root, counts, classes)))
    _export(desk)
    if classes:
        st.html(_table(classes))


def _hint(root: Path, counts: Counts, classes: tuple[ClassTally, ...]) -> str:
    """Whether it pays to train on this set now."""
    compared, alike = sum(tally.compared for tally in classes), sum(tally.alike for tally in classes)
    if counts.checked < _ENOUGH or not compared:
        return words("set.too_few", count=max(1, _ENOUGH - counts.checked))
    share = percent(alike / compared, places=1)
    if alike / compared >= _LITTLE_TO_GAIN:
        return words("set.little_to_gain", share=share)
    return words("set.may_help", share=share, command=f"tilescore train --data {as_argument(root)}")


def _table(classes: tuple[ClassTally, ...]) -> str:
    """Labels by class, the rarest first: these need more pictures."""
    most = max(tally.labels for tally in classes)
    heads = "".join(f"<th>{escape(words(f'set.{name}'))}</th>" for name in ("class", "labels", "checked", "alike"))
    rows = "".join(
        f'<tr><td>{escape(mark_name(tally.name))}<i style="width:{100 * tally.labels / most:.0f}%"></i></td>'
        f"<td>{grouped(tally.labels)}</td><td>{grouped(tally.checked)}</td><td>{_alike(tally)}</td></tr>"
        for tally in sorted(classes, key=lambda tally: tally.labels)
    )
    return f'<div class="ts-set"><table><tr>{heads}</tr>{rows}</table></div>'


def _alike(tally: ClassTally) -> str:
    return percent(tally.alike / tally.compared) if tally.compared else "–"


def _export(desk: Desk) -> None:
    """Draw the export: a file beside the folder, because the photos may be more than a browser takes."""
    with st.form("ts_export", border=False):
        st.selectbox(words("set.format"), sorted(formats.WRITTEN), key=_FORMAT, format_func=str.upper)
        st.checkbox(words("set.unchecked_too"), key=_ALL)
        if st.form_submit_button(words("set.export")):
            _write(desk)
    if _DONE in st.session_state:
        done, left_out = st.session_state.pop(_DONE)
        st.success(plain(done))
        list_problems(left_out)


def list_problems(problems: Sequence[Problem]) -> None:
    """Draw a line for each picture of which something is wrong, in the words of the command line."""
    for problem in problems[:200]:
        st.text(str(problem))


@undisturbed()
def _write(desk: Desk) -> None:
    root, bar = desk.folder.root, st.progress(0.0, words("set.exporting"))

    def show(done: int, total: int) -> None:
        bar.progress(done / max(1, total), words("set.exporting"))

    try:
        pictures = formats.read(root).pictures
        chosen = [picture for picture in pictures if picture.checked or st.session_state[_ALL]]
        if not complete(chosen)[0]:
            st.error(plain(words("set.nothing_checked")))
            return
        out = _free(root.resolve(), st.session_state[_FORMAT])
        left_out = formats.write(chosen, out, format_name=st.session_state[_FORMAT], progress=show)
        done = words("set.exported", count=len(chosen) - len(left_out), file=str(out))
        st.session_state[_DONE] = (done, left_out)
    except InputError as error:
        st.error(plain(sentence(explained(error))))
    finally:
        bar.empty()


def _free(root: Path, format_name: str) -> Path:
    """A name for an archive beside the folder that no file has."""
    further = chain([""], (f"-{number}" for number in count(2)))
    names = (root.with_name(f"{root.name}-{format_name}{more}.zip") for more in further)
    return next(out for out in names if not out.exists())
