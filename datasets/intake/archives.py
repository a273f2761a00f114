"""Data sets in one file, as they are downloaded: `.zip`, `.tar` and packed forms of it.

A whole archive is looked through before any of it is written, and only into a new folder. Links, devices, paths that
lead out, archives inside archives, passwords, and archives that would fill a disk are refused by name.
"""

import re
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tarfile import TarError, TarFile, TarInfo
from tarfile import open as open_tar
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from tilescore.errors import InputError

SUFFIXES: Final = {".zip": "", ".tar": "", ".tar.gz": "gz", ".tgz": "gz", ".tar.bz2": "bz2", ".tar.xz": "xz"}
"""Endings of archives, each with how a tar is packed."""
_ARCHIVES: Final = (*SUFFIXES, ".7z", ".rar", ".gz", ".bz2", ".xz")
"""Endings of archives that lie inside another one."""
MAX_FILES: Final = 50_000
MAX_BYTES: Final = 8_000_000_000
_DAMAGE: Final = (
    OSError, EOFError, ValueError, BadZipFile, zlib.error, TarError, NotImplementedError, RuntimeError,
)  # fmt: skip
_PART_BYTES: Final = 1_000_000
_UTF_8: Final = 0x800
"""The bit of a name in a zip that is marked as UTF-8; another name is in the code page 437."""
_ODD: Final = re.compile("[¬\u0370-\u03ff\u2200-\u25ff]")
"""What no name in Latin letters has: Greek letters, signs of mathematics, and parts of frames."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A file in an archive: its name, its size in bytes, what it is if no plain file, and how to open it."""

    name: str
    size: int
    odd: str
    open: Callable[[], IO[bytes] | None]


def is_archive(path: Path) -> bool:
    """Whether a path has the name of an archive."""
    return path.name.lower().endswith(tuple(SUFFIXES)) and not path.is_dir()


def has_garbled_names(archive: Path) -> bool:
    """Whether a zip has names in a code page that it does not say: read as the format says, they have odd letters."""
    if archive.suffix.lower() != ".zip" or _encoding_of(archive):
        return False
    with ZipFile(archive) as packed:
        unmarked = [info for info in packed.infolist() if not info.flag_bits & _UTF_8]
        # Newer releases of Python take a name in UTF-8 from another field, where there is one.
        names = (info.filename for info in unmarked if info.filename == info.orig_filename)
        return any(map(_ODD.search, names))


def unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive into a new folder; returns that folder, or the only folder in it.

    Raises InputError if the archive is refused or damaged, or the disk is full; nothing of it is left.
    """
    folder.mkdir(parents=True)
    try:
        with _members(archive) as members:
            _refuse(archive, members)
        left = MAX_BYTES
        with _members(archive) as members:
            for member in members:
                left -= _write(member, folder / member.name, left)
                if left < 0:
                    raise _refused(archive, f"holds more than {MAX_BYTES // 10**9} GB")
    except InputError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except _DAMAGE as error:
        shutil.rmtree(folder, ignore_errors=True)
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged"
        message = f"'{archive}' cannot be unpacked ({reason}): download it again, or unpack it and give the folder."
        raise InputError("bad_archive", message, path=str(archive)) from None
    inside = [path for path in folder.iterdir() if path.name != "__MACOSX"]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def pack(folder: Path, archive: Path, *, like: Path) -> None:
    """Pack the files below a folder into a new archive, in the form that the ending of `like` says; raises OSError."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if like.suffix.lower() == ".zip":
        with ZipFile(archive, "x", ZIP_DEFLATED) as packed:
            for file in files:
                packed.write(file, file.relative_to(folder).as_posix())
        return
    how: Any = next(f"x:{how}" for suffix, how in SUFFIXES.items() if like.name.lower().endswith(suffix))
    with open_tar(archive, how) as tar:
        for file in files:
            tar.add(file, file.relative_to(folder).as_posix())


@contextmanager
def _members(archive: Path) -> Iterator[Iterable[_Member]]:
    """The files in an archive, one after the other, as their headers describe them."""
    if archive.suffix.lower() == ".zip":
        with ZipFile(archive, metadata_encoding=_encoding_of(archive)) as packed:
            yield (_zipped(packed, info) for info in packed.infolist() if not info.is_dir())
    else:
        with closing(open_tar(archive)) as tar:
            yield (_tarred(tar, info) for info in tar if not info.isdir())


def _encoding_of(archive: Path) -> str | None:
    """UTF-8 if all names of a zip can be, as many programs write it without its mark; else None, as the format says."""
    try:
        ZipFile(archive, metadata_encoding="utf-8").close()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _zipped(packed: ZipFile, info: ZipInfo) -> _Member:
    kind = info.external_attr >> 28  # the kind of a file of Unix: 8 is a plain one, 10 a link
    odd = "has a password" if info.flag_bits & 1 else "" if kind in (0, 8) else "is a link" if kind == 10 else "is odd"
    return _Member(info.filename.replace("\\", "/"), info.file_size, odd, lambda: packed.open(info))


def _tarred(tar: TarFile, info: TarInfo) -> _Member:
    odd = "" if info.isreg() else "is a link" if info.issym() or info.islnk() else "is a device"
    return _Member(info.name.replace("\\", "/"), info.size, odd, lambda: tar.extractfile(info))


def _refuse(archive: Path, members: Iterable[_Member]) -> None:
    """Raise InputError for an archive that must not be unpacked; a header is enough to tell."""
    names: set[str] = set()
    total = 0
    for member in members:
        name, plain = member.name, PurePosixPath(member.name)
        total += member.size
        if member.odd:
            raise _refused(archive, f"holds '{name}', which {member.odd}")
        if plain.is_absolute() or ".." in plain.parts or re.match(r"[A-Za-z]:", name) or "\0" in name:
            raise _refused(archive, f"holds '{name}', which leads out of the folder")
        if name.lower().endswith(_ARCHIVES):
            raise _refused(archive, f"holds another archive, '{name}'")
        if plain.as_posix().casefold() in names:
            raise _refused(archive, f"holds '{name}' twice")
        names.add(plain.as_posix().casefold())
        if len(names) > MAX_FILES:
            raise _refused(archive, f"holds more than {MAX_FILES:,} files")
        if total > MAX_BYTES:
            raise _refused(archive, f"holds more than {MAX_BYTES // 10**9} GB")


def _refused(archive: Path, why: str) -> InputError:
    message = f"'{archive}' {why}: unpack it yourself, look through it, and give the folder."
    return InputError("bad_archive", message, path=str(archive))


def _write(member: _Member, target: Path, left: int) -> int:
    """Write a file of an archive; returns its size, and stops as soon as that is more than is left."""
    target.parent.mkdir(parents=True, exist_ok=True)
    source, size = member.open(), 0
    if source is None:
        return 0
    with source, target.open("xb") as file:
        while (part := source.read(_PART_BYTES)) and size <= left:
            file.write(part)
            size += len(part)
    return size
