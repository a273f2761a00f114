"""`tilescore hands`: list, export and delete the past hands that the app keeps, whichever browser scored them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from tilescore.errors import InputError
from tilescore.printable import counted
from tilescore.ui.cli.options import AsJson, Out
from tilescore.ui.cli.terminal import complain, say, say_json, write_lines

if TYPE_CHECKING:
    from tilescore.ui.storage.hand_owners import HandOwner
    from tilescore.ui.storage.hand_store import HandStore

hands_app = typer.Typer(name="hands", help="The past hands that are kept on this machine.", no_args_is_help=True)
Browser = Annotated[str, typer.Argument(help="A browser of `tilescore hands list`.")]
_NO_HANDS: Final = "'{}' does not exist: the app makes it with the first hand."
Yes = Annotated[bool, typer.Option("--yes", help="Delete without a question.")]


@hands_app.command("list")
def list_hands(*, as_json: AsJson = False) -> None:
    """List the browsers that have past hands here, the latest last."""
    from tilescore.ui.storage.hand_owners import owners
    from tilescore.ui.storage.hand_store import HandStore

    if not HandStore().path.exists():
        complain(_NO_HANDS.format(HandStore().path))
        return
    for owner in owners(_store()):
        if as_json:
            say_json(_json(owner))
        else:
            first, last = owner.days
            say(f"{owner.name}  {counted(owner.hands, 'hand')}, {owner.photos} with a photo, {first} to {last}")


@hands_app.command("export")
def export_hands(browser: Browser, *, out: Out = None) -> None:
    """Write the past hands of a browser with their photos as JSON; History, Copies takes the file in."""
    from tilescore.ui.storage.copies.backup import exported
    from tilescore.ui.storage.hand_owners import owner_of

    lines = exported(owner_of(_store(), browser).visitor, games=False)
    write_lines(lines, out)


@hands_app.command("delete")
def delete_hands(browser: Browser, *, yes: Yes = False) -> None:
    """Delete the past hands of a browser with their photos for good."""
    from tilescore.ui.storage.hand_owners import owner_of

    store = _store()
    owner = owner_of(store, browser)
    what = f"{counted(owner.hands, 'hand')} and {counted(owner.photos, 'photo')}"
    try:
        sure = yes or typer.confirm(f"Delete {what} for good?")
    except typer.Abort:  # as in a script, whose standard input has ended
        message = "nobody answered, so nothing was deleted: answer y or n, or say --yes."
        raise InputError("no_answer", message) from None
    if not sure:
        say("Nothing was deleted.")
        return
    store.forget_all(owner.visitor)
    if not store.file.settle():
        complain("the hands are deleted, but traces are left: a file is in use, or the disk is full. They go later.")
    say(f"{counted(owner.hands, 'hand')} deleted.")


def _store() -> HandStore:
    from tilescore.ui.storage.hand_store import HandStore

    store = HandStore()
    if not store.path.exists():
        raise InputError("no_hands", _NO_HANDS.format(store.path))
    return store


def _json(owner: HandOwner) -> dict[str, object]:
    first, last = owner.days
    return {"browser": owner.name, "hands": owner.hands, "photos": owner.photos, "first": first, "last": last}
