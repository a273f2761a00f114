"""When the people of pages chose the files that they send."""

import time
from collections.abc import Callable
from typing import Final

from streamlit.runtime.scriptrunner import get_script_run_ctx

_LATEST: Final[dict[str, tuple[str, float]]] = {}
"""By page the file that was chosen last, and when."""


def chosen(page: str, file_id: str) -> None:
    """Note that this file of that page is chosen now."""
    _LATEST[page] = (file_id, time.monotonic())


def chosen_s(file_id: str) -> float | None:
    """When that file of the present page was chosen, of `time.monotonic`; None unless it is the latest one."""
    context = get_script_run_ctx()
    latest, at_s = _LATEST.get(context.session_id if context else "", ("", 0.0))
    return at_s if latest == file_id else None


def forget_all_but(is_open: Callable[[str], bool]) -> None:
    """Forget the pages that are not open."""
    for page in [page for page in [*_LATEST] if not is_open(page)]:
        _LATEST.pop(page, None)
