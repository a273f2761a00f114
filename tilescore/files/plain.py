"""Plain files: a pipe, a socket or a device has any name that a file can have, and reading it may never end."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

_FLAGS: Final = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"))
_KINDS: Final = {
    stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
}  # fmt: skip


class NotPlainError(OSError):
    """A name leads to something else than a plain file; `strerror` says to what."""

    def __init__(self, kind: str, path: Path | str) -> None:
        super().__init__(errno.EINVAL, f"{kind} is no file of a photo", str(path))
        self.kind = kind


def require_plain(status: os.stat_result, path: Path | str) -> None:
    """Raise NotPlainError unless that is a plain file."""
    if not stat.S_ISREG(status.st_mode):
        raise NotPlainError(_KINDS.get(stat.S_IFMT(status.st_mode), "something"), path)


def require_size(size: int, at_most: int, path: Path | str) -> None:
    """Raise OSError for a file of more bytes than that."""
    if size > at_most:
        reason = f"it has {size // 1_000_000} MB, and a photo at most {at_most // 1_000_000}"
        raise OSError(errno.EFBIG, reason, str(path))


def stamp_of(path: Path) -> str:
    """Size and time of a file; empty if the file does not exist."""
    try:
        status = os.stat(path)  # noqa: PTH116  # 20,000 files, three times
    except OSError:
        return ""
    return f"{status.st_size}.{status.st_mtime_ns}"


def open_plain(path: Path) -> BinaryIO:
    """Open a plain file to read it; raises OSError, NotPlainError for anything else without a wait."""
    require_plain(path.stat(), path)  # to open a device may already change it
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    try:
        require_plain(os.fstat(file.fileno()), path)
    except OSError:
        file.close()
        raise
    return file


def read_plain(path: Path, *, at_most: int) -> bytes:
    """The bytes of a plain file; raises OSError, with EFBIG for a file of more bytes, before any of them is read."""
    with open_plain(path) as file:
        require_size(os.fstat(file.fileno()).st_size, at_most, path)
        return file.read(at_most + 1)
