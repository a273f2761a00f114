"""All deletions that are not complete, whichever file they concern."""

from __future__ import annotations

from tilescore.base.files.owed import Owed
from tilescore.datasets.annotation.folder import AnnotationFolder
from tilescore.datasets.annotation.index import Index
from tilescore.datasets.annotation.index_file import index_file
from tilescore.ui.storage.hand_store import HandStore
from tilescore.ui.storage.kept_photos import queue
from tilescore.ui.storage.ledger_store import LedgerStore


def are_owed() -> bool:
    """Whether something that was deleted is still on the disk, because a file was in use or the disk was full."""
    files = (LedgerStore().file.owed, HandStore().owed, Owed(index_file(queue())))
    return any(owed.notes for owed in files)


def settle() -> bool:
    """Delete what is left of everything that was deleted; whether nothing is left. Raises InputError."""
    index = not Owed(index_file(queue())).notes or Index(AnnotationFolder(queue())).settle()
    return all((LedgerStore().settle(), HandStore().settle(), index))
