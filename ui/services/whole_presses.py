"""Presses that are never left half done, whatever else the browser sends meanwhile.

A further message of the browser ends the run of the script as soon as that run touches the state of the session, also
inside the function that answers a press (Streamlit 1.67; its issue 10578 is open). A deal was then in the ledger and
still in the form, and another press booked it twice; a press that had not begun was lost.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.state.safe_session_state import SafeSessionState


class WholePresses(SafeSessionState):
    """The state of a session, which lets no message end the run while presses are answered; the message waits."""

    def on_script_will_rerun(self, *arguments: Any, **named: Any) -> None:
        """Take over what the browser sent, and answer its presses."""
        runner = vars(self)["_yield_callback"].__self__
        runner._execing = False  # noqa: SLF001  # a run looks at waiting messages only while this is set
        try:
            super().on_script_will_rerun(*arguments, **named)
        finally:
            runner._execing = True  # noqa: SLF001


def keep_presses_whole() -> None:
    """Answer all presses of this process wholly. Without `runner.fastReruns`: with it a message starts a second run."""
    vars(script_runner)["SafeSessionState"] = WholePresses  # where Streamlit looks the class up
