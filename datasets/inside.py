"""Files of one folder that stay in it: a link that leads out is refused, even one that is put there while we run.

A path is resolved first and must lie in the folder. Then each of its folders is opened by the handle of the one before,
and no link is followed any more, so that a link swapped in meanwhile is refused as well. On Windows, which has no such
handles, the check before the opening is the only one.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

from tilescore.datasets.pictures.picture_files import SUFFIXES
from tilescore.errors import InputError
from tilescore.files.outputs import partial_of, sync_entries
from tilescore.files.paths import is_private
from tilescore.files.plain import require_plain, require_size
from tilescore.vision.image.config import PHOTO_LIMITS

_BY_HANDLE: Final = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER_FLAGS: Final = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | os.O_RDONLY
_SHARED, _PRIVATE = 0o666, 0o600
"""Modes of a new file before the umask: several people may label a folder, but our data folder is for one."""


class LeavesFolderError(InputError):
    """A path in the folder is a link that leads out of it."""


@dataclass(frozen=True, slots=True)
class Inside:
    """The files below a folder; every path is below `root`, and every method raises OSError or LeavesFolderError."""

    root: Path

    def refuse_links(self) -> None:
        """Raise LeavesFolderError for a link below the root that leads out, before anything is read there.

        Links to pictures are left out: a reader of pictures reports each of them.
        """
        waiting = [str(self.root)]
        while waiting:
            try:
                with os.scandir(waiting.pop()) as entries:
                    inside = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in inside:
                if entry.is_symlink():
                    if os.path.splitext(entry.name)[1].lower() not in SUFFIXES or _is_folder(entry):  # noqa: PTH122
                        self._parts(Path(entry.path))
                elif entry.is_dir():
                    self._parts(Path(entry.path))  # Python does not call a junction of Windows a link
                    waiting.append(entry.path)

    def open(self, path: Path, mode: str = "rb") -> BinaryIO:
        """Open a file in a binary mode, as the built-in `open` does."""

        def opener(_path: str, flags: int) -> int:
            with self._parent(path) as (folder, name):
                handle = self._opened(path, name, flags | getattr(os, "O_NONBLOCK", 0), folder)
            try:
                require_plain(os.fstat(handle), path)
            except OSError:
                os.close(handle)
                raise
            return handle

        return cast("BinaryIO", open(path, mode, opener=opener))  # the caller closes it

    def read(self, path: Path) -> bytes:
        """The bytes of a file."""
        with self.open(path) as file:
            return file.read()

    @contextmanager
    def open_picture(self, path: Path) -> Iterator[BinaryIO]:
        """An open picture; a file that is too large for a photo raises OSError before any of it is read."""
        with self.open(path) as file:
            require_size(os.fstat(file.fileno()).st_size, PHOTO_LIMITS.max_bytes, path)
            yield file

    def read_picture(self, path: Path) -> bytes:
        """The bytes of a picture; raises OSError as `open_picture` does."""
        with self.open_picture(path) as file:
            return file.read()

    def exists(self, path: Path) -> bool:
        """Whether there is a file that leads nowhere else."""
        try:
            with self.open(path):
                return True
        except OSError:
            return False

    def write(self, path: Path, data: bytes) -> None:
        """Write a file to the disk as a whole: a failure leaves the earlier one; makes its folder if need be."""
        self.make_folder(path.parent)
        partial = partial_of(path)
        try:
            with self.open(partial, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            self.replace(partial, path)
        except BaseException:
            self.remove(partial)
            raise

    def replace(self, path: Path, target: Path) -> None:
        """Give a file another name; what had that name, a link too, is gone."""
        with self._parent(path) as (folder, name), self._parent(target, link=True) as (other, new_name):
            if folder is None:
                Path(name).replace(new_name)
            else:
                os.replace(name, new_name, src_dir_fd=folder, dst_dir_fd=other)

    def remove(self, path: Path) -> None:
        """Remove a file or link; a missing one stays missing."""
        try:
            with self._parent(path, link=True) as (folder, name):
                os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            return

    def make_folder(self, path: Path) -> None:
        """Make a folder and those above it."""
        for folder in reversed((path, *path.parents)):
            if folder == self.root or not folder.is_relative_to(self.root):
                continue
            with self._parent(folder) as (parent, name):
                try:
                    os.mkdir(name, 0o700 if is_private(self.root) else 0o777, dir_fd=parent)
                except FileExistsError:
                    continue

    def sync(self, path: Path) -> None:
        """Write the entries of a folder to the disk, where the system can, so that a new file survives a power cut."""
        if _BY_HANDLE:
            with self._folder(self._parts(path)) as folder:
                sync_entries(folder)

    @contextmanager
    def _parent(self, path: Path, *, link: bool = False) -> Iterator[tuple[int | None, str]]:
        """The handle of a file's folder and its name there; without handles, None and its path.

        With `link`, the path itself may be a link: it is named, and not followed.
        """
        *folders, name = (*self._parts(path.parent), path.name) if link else self._parts(path)
        if not _BY_HANDLE:
            yield None, str(Path(os.path.realpath(self.root), *folders, name))
            return
        with self._folder(tuple(folders)) as folder:
            yield folder, name

    @contextmanager
    def _folder(self, parts: tuple[str, ...]) -> Iterator[int]:
        handle = os.open(os.path.realpath(self.root), os.O_RDONLY)
        try:
            for part in parts:
                deeper = self._opened(self.root.joinpath(*parts), part, _FOLDER_FLAGS, handle)
                os.close(handle)
                handle = deeper
            yield handle
        finally:
            os.close(handle)

    def _parts(self, path: Path) -> tuple[str, ...]:
        """The names that lead from the root to the path, once its links are resolved."""
        real, root = Path(os.path.realpath(path)), Path(os.path.realpath(self.root))
        if not real.is_relative_to(root):
            raise self._leaves(path)
        return real.relative_to(root).parts

    def _opened(self, path: Path, name: str, flags: int, folder: int | None) -> int:
        """A handle of that name in the folder, which must not be a link."""
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            return os.open(name, flags, _PRIVATE if is_private(self.root) else _SHARED, dir_fd=folder)
        except OSError:
            if _is_link(name, folder):
                raise self._leaves(path) from None
            raise

    def _leaves(self, path: Path) -> LeavesFolderError:
        shown = path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        message = f"'{shown}' is a link that leads out of the folder: put the files themselves there."
        return LeavesFolderError("leaves_folder", message, path=shown)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # links in a circle
        return False


def _is_link(name: str, folder: int | None) -> bool:
    try:
        os.readlink(name, dir_fd=folder)
    except OSError:
        return False
    return True
