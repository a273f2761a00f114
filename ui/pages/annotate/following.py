"""Labels that follow their tiles through a film in the background, while a person goes on with other frames."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial

import streamlit as st

from tilescore.datasets.annotation.film import TRACKER, Followed, film_of, follow
from tilescore.datasets.annotation.listing import EVERYTHING
from tilescore.errors import InputError
from tilescore.ui.pages.annotate.desk import Desk
from tilescore.ui.state.undisturbed import undisturbed
from tilescore.ui.words.text import explained, sentence, words

_POLL_S = 1.0


class FilmWork:
    """The films of a desk that are being followed, one after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._helper = ThreadPoolExecutor(1, thread_name_prefix="follow")
        self._last: Future[Followed] | None = None
        self.share = 0.0

    def start(self, key: str) -> None:
        """Follow the tiles of a corrected frame up to the corrected frames beside it."""
        self._last = self._helper.submit(self._follow, key)

    @property
    def is_running(self) -> bool:
        """Whether a film is being followed."""
        return self._last is not None and not self._last.done()

    def result(self) -> str:
        """What the last work has done, in a sentence, once; empty while it runs."""
        if self._last is None or self.is_running:
            return ""
        last, self._last = self._last, None
        try:
            found = last.result()
        except InputError as error:
            return sentence(explained(error))
        return words("annotate.followed", frames=found.frames, changed=found.changed, hidden=found.hidden)

    def _follow(self, key: str) -> Followed:
        def show(done: int, total: int) -> None:
            self.share = min(1.0, done / max(1, total))

        self.share = 0.0
        folder = self._desk.folder
        film = film_of(folder.pictures()[0], key)
        return follow(folder, film, partial(self._desk.keep, by=TRACKER), around=key, progress=show)


@lru_cache(maxsize=8)
def film_work(desk: Desk) -> FilmWork:
    """The work on the films of a desk, shared by all visitors."""
    return FilmWork(desk)


def is_film(desk: Desk, key: str) -> bool:
    """Whether the picture before or after belongs to the same film."""
    beside = [entry for way in (-1, 1) for entry in desk.index.beside(key, EVERYTHING, way)]
    return len(film_of([desk.index.file(name) for name in {key, *(entry.key for entry in beside)}], key)) > 1


def show_work(work: FilmWork, say: Callable[[str], None]) -> None:
    """Draw the progress while a film is being followed; afterwards say what was done, and draw the page anew."""

    @st.fragment(run_every=_POLL_S)
    def progress() -> None:
        if work.is_running:
            st.progress(work.share, words("annotate.following"))
        elif _said(work, say):
            st.rerun()

    if work.is_running:
        progress()
    elif _said(work, say):
        st.rerun(scope="fragment")


@undisturbed()
def _said(work: FilmWork, say: Callable[[str], None]) -> bool:
    """Say what the last work has done; False if there is nothing to say."""
    done = work.result()
    if done:
        say(done)
    return bool(done)
