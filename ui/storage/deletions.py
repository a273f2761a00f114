"""All deletions that are not complete, whichever file they concern."""

from contextlib import suppress
from threading import Lock, Thread
from typing import Final

from tilescore.datasets.annotation.index_file import index_file
from tilescore.errors import InputError
from tilescore.files.owed import Owed
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.kept_photos import queue
from tilescore.ui.storage.ledger_store import LedgerStore

_SETTLING: Final = Lock()


def are_owed() -> bool:
    """Whether something that was deleted stays on the disk, because a file was in use or the disk was full."""
    if _SETTLING.locked():
        return False
    files = (LedgerStore().file.owed, HandStore().file.owed, Owed(index_file(queue())))
    return any(owed.notes for owed in files)


def settle() -> bool:
    """Delete what is left of everything that was deleted; whether nothing is left. Raises InputError."""
    index = not Owed(index_file(queue())).notes or _settle_index()
    return all((LedgerStore().settle(), HandStore().file.settle(), index))


def _settle_index() -> bool:
    from tilescore.datasets.annotation.folder import AnnotationFolder  # start-up time of the app
    from tilescore.datasets.annotation.index import Index

    return Index(AnnotationFolder(queue())).settle()


def settle_hands_later() -> None:
    """Delete what is left of deleted hands while the page goes on; what is still left then is owed."""
    Thread(target=_settle_hands, args=(HandStore(),), daemon=True).start()


def _settle_hands(store: HandStore) -> None:
    with _SETTLING, suppress(InputError, OSError):
        store.file.settle()
