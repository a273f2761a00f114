"""Changes of a session that are never left half done, whatever the browser sends meanwhile.

A further message of the browser ends the run of the script as soon as that run touches the state of the session, also
inside the function that answers a press (Streamlit 1.67; its issue 10578 is open). A deal was then in the ledger and
still in the form, and another press booked it twice; a press that had not begun was lost.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx, script_runner
from streamlit.runtime.state.safe_session_state import SafeSessionState


class WholePresses(SafeSessionState):
    """The state of a session, which lets no message end the run while presses are answered; the message waits."""

    def on_script_will_rerun(self, *arguments: Any, **named: Any) -> None:
        """Take over what the browser sent, and answer its presses."""
        with _deaf(self):
            super().on_script_will_rerun(*arguments, **named)


def keep_presses_whole() -> None:
    """Answer all presses of this process wholly; `runner.fastReruns` is off, because that option starts second runs."""
    vars(script_runner)["SafeSessionState"] = WholePresses  # where Streamlit looks the class up


@contextmanager
def undisturbed() -> Iterator[None]:
    """Change the state of the session wholly while the page is drawn; messages of the browser wait until the end."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:  # no page is drawn
        yield
        return
    with _deaf(context.session_state):
        yield


@contextmanager
def _deaf(state: SafeSessionState) -> Iterator[None]:
    runner = vars(state)["_yield_callback"].__self__
    before = runner._execing  # noqa: SLF001  # a run looks at waiting messages only while this is set
    runner._execing = False  # noqa: SLF001
    try:
        yield
    finally:
        runner._execing = before  # noqa: SLF001
