"""Files that a command writes for a person: nothing but our own is overwritten, and no file is ever half written."""

import errno
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from tilescore.errors import InputError
from tilescore.files.paths import hand_over


def check_output(path: Path, *, option: str, is_ours: Callable[[Path], bool], inputs: Iterable[Path] = ()) -> None:
    """Refuse, before any work, a place that must not be written or cannot be.

    Args:
        path: the file to write.
        option: the option that names it, for the message.
        is_ours: whether an existing file is one that this option wrote before; may raise OSError or ValueError.
        inputs: the files that the command reads, which stay as they are, under any name.

    Raises InputError if the file is an input, or is there and not ours, or its folder is missing or cannot be written.
    """
    remedy = f"give {option} another name"
    try:
        status = path.stat()
    except FileNotFoundError:
        _check_folder(Path(os.path.realpath(path)).parent, path)
        return
    except (OSError, ValueError) as error:
        message = f"'{path}' cannot be written ({_reason(error)}): {remedy}."
        raise InputError("cannot_write", message, path=str(path)) from None
    if any(_is_file(source, status) for source in inputs):
        message = f"'{path}' is an input of this run and stays as it is: {remedy}."
        raise InputError("output_is_input", message, path=str(path))
    if not stat.S_ISREG(status.st_mode) or (status.st_size and not _answers(is_ours, path)):
        message = f"'{path}' is there already, and {option} did not write it: {remedy}, or move it away."
        raise InputError("output_exists", message, path=str(path))
    _check_folder(Path(os.path.realpath(path)).parent, path)


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Write a file, or its parts one by one, beside its place, sync it, give it its name.

    A failure leaves an earlier file whole. A link stays a link: the file that it names is replaced. Raises InputError
    if the disk is full, or the place cannot be written.
    """
    target = Path(os.path.realpath(path))
    partial = partial_of(target)
    try:
        try:
            with partial.open("xb") as file:
                if target.exists():
                    partial.chmod(stat.S_IMODE(target.stat().st_mode))
                file.writelines((data,) if isinstance(data, bytes) else data)
                file.flush()
                os.fsync(file.fileno())
            hand_over(partial)
            partial.replace(target)
            sync_folder(target.parent)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise cannot_write(path, error) from None


def partial_of(target: Path) -> Path:
    """An unused name beside a file, hidden, for its next content."""
    return target.with_name(f".tilescore-{os.getpid()}-{secrets.token_hex(4)}")


def aside_of(path: Path) -> Path:
    """An unused name beside a file or folder, for what was there until now; it begins with `NAME.before-`."""
    return path.with_name(f"{path.name}.before-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}")


def sync_folder(folder: Path) -> None:
    """Write the entries of a folder to the disk, where the system can, so that a new name survives a power cut."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        sync_entries(handle)
    finally:
        os.close(handle)


def sync_entries(folder: int) -> None:
    """Write the entries of an open folder to the disk, unless the disk syncs files alone, as shared folders do."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP):
            raise


def cannot_write(path: Path, error: Exception) -> InputError:
    """The sentence about a file that could not be written."""
    message = f"'{path}' cannot be written ({_reason(error)}): see that there is room and that the folder is yours."
    return InputError("cannot_write", message, path=str(path))


def _check_folder(folder: Path, path: Path) -> None:
    if not folder.is_dir():
        message = f"'{path}' cannot be written: there is no folder '{folder}', make it first."
        raise InputError("cannot_write", message, path=str(path))
    if not os.access(folder, os.W_OK | os.X_OK) or _is_read_only(folder):
        message = f"'{path}' cannot be written: nothing may be written in '{folder}', name another folder."
        raise InputError("cannot_write", message, path=str(path))


def _is_read_only(folder: Path) -> bool:
    """Whether the disk is mounted read-only, which a superuser's rights hide."""
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _is_file(source: Path, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(source.stat(), status)
    except (OSError, ValueError):
        return False


def _answers(is_ours: Callable[[Path], bool], path: Path) -> bool:
    try:
        return is_ours(path)
    except (OSError, ValueError):
        return False


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
