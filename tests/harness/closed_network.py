"""A closed network for a process: a name server answers and logs, so that all traffic that would leave is recorded.

`in_closed_network` runs Python in fresh network and mount namespaces of Linux. The loopback device is the only device
there. `/run` is empty, so that no outside name service answers. Every name resolves to an address without a route.
`watched` is the beginning of a command line that runs a program under strace, which records the calls of C++ code, too.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import struct
import subprocess
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ROOT: Final = Path(__file__).resolve().parents[2]
_TRACE: Final = "trace."
_LOOKUPS: Final = "lookups"
_SENDS: Final = ("connect", "sendto", "sendmsg", "sendmmsg")
_WRITES: Final = (
    *("open", "openat", "openat2", "creat", "mkdir", "mkdirat", "mknod", "mknodat", "truncate"),
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
)
_DEVICES: Final = ("/dev/", "/proc/", "/sys/")
_NO_ROUTE: Final = "192.0.2.1"
"""An address for documentation (RFC 5737), which no machine has."""
_A: Final = 1
"""The type of a query for an IPv4 address (RFC 1035)."""

_CALL: Final = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_TEXT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FOLDER: Final = re.compile(r'(?:AT_FDCWD|\d+)<([^>]*)>, "')
_ADDRESS: Final = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')


@dataclass(frozen=True, slots=True)
class Traffic:
    """The traffic that programs attempted, and the files that they wrote."""

    lookups: tuple[str, ...]  # names that programs looked up, in order
    # addresses beyond loopback to which a socket connected or sent, with or without an answer
    contacts: tuple[str, ...]
    # files and folders that programs opened for writing, made, or made by a link or a new name
    written: tuple[Path, ...]

    def written_outside(self, *folders: Path) -> tuple[Path, ...]:
        """The paths outside these folders; the parents of a folder do not count, since programs may make them."""
        return tuple(
            path
            for path in self.written
            if not any(path.is_relative_to(folder) or folder.is_relative_to(path) for folder in folders)
        )


def missing() -> str:
    """The reason why this machine cannot watch a process, as a sentence; empty if it can."""
    tools = [name for name in ("unshare", "mount", "strace") if which(name) is None]
    if not sys.platform.startswith("linux") or tools:
        return f"watching the network needs Linux and {', '.join(tools) or 'its namespaces'}."
    done = subprocess.run([*unshared(), "true"], check=False, capture_output=True)  # noqa: S603
    return "" if done.returncode == 0 else "this machine does not allow a network namespace."


def in_closed_network(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Traffic:
    """Run `python WORDS` in a closed network until it ends.

    Args:
        words: the command line after `python`.
        folder: an empty folder for the records.
        environment: all environment variables of the process.

    Raises:
        RuntimeError: the exit status of the process is not 0.
    """
    command = [*unshared(), sys.executable, "-m", "tests.harness.closed_network", str(folder), *words]
    done = subprocess.run(command, cwd=ROOT, env=dict(environment), check=False)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"'{' '.join(words)}' ended with status {done.returncode}.")
    calls = [call for path in sorted(folder.glob(f"{_TRACE}*")) for call in _calls(path.read_text(errors="replace"))]
    return Traffic(
        tuple((folder / _LOOKUPS).read_text().split()),
        tuple(address for name, given, _ in calls if name in _SENDS for address in _beyond_loopback(given)),
        tuple(path for name, given, result in calls if name in _WRITES and result >= 0 for path in _written(given)),
    )


def watched(folder: Path, name: str) -> tuple[str, ...]:
    """The words before a command line that let strace record its calls in that folder, under that name."""
    calls = ",".join((*_SENDS, *_WRITES))
    flags = (
        "--daemonize",
        "--follow-forks",
        "--seccomp-bpf",
        "--decode-fds=path",
        "--string-limit=1000",
        "--quiet=all",
    )
    return ("strace", *flags, f"--trace={calls}", f"--output={folder / (_TRACE + name)}")


def unshared() -> tuple[str, ...]:
    """The command that makes the namespaces.

    All processes inside end with the first one. A user other than root needs a user namespace as well.
    """
    own = () if os.geteuid() == 0 else ("--map-root-user",)
    return ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", *own)


# --- inside ---------------------------------------------------------------------------------------------------------


def main() -> None:
    """Run the rest of the command line as a Python program beside the name server, inside the namespaces."""
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    _loopback_up()
    _ask_only(folder, "127.0.0.1")
    with _name_server(folder / _LOOKUPS):
        status = subprocess.run([sys.executable, *words], check=False).returncode  # noqa: S603
    sys.exit(status)


def _loopback_up() -> None:
    """Do what `ip link set lo up` does, with the numbers of linux/if.h and linux/sockios.h."""
    import fcntl  # missing on Windows, where tests import this file, too

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))


def _ask_only(folder: Path, address: str) -> None:
    """Let the C library ask only that name server, and no service of the machine."""
    mount = which("mount") or "mount"
    subprocess.run([mount, "-t", "tmpfs", "tmpfs", "/run"], check=True)  # noqa: S603
    configuration = folder / "resolv.conf"
    configuration.write_text(f"nameserver {address}\n")
    place = Path("/etc/resolv.conf").resolve()
    if place.is_relative_to("/run"):  # a link into the folder that is hidden now
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    subprocess.run([mount, "--bind", str(configuration), str(place)], check=True)  # noqa: S603


@contextmanager
def _name_server(log: Path) -> Iterator[None]:
    """Answer each query for an IPv4 address with an address without a route; write each name to a line of the log."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server, log.open("w", buffering=1) as file:
        server.bind(("127.0.0.1", 53))

        def answer() -> None:
            while True:
                question, asker = server.recvfrom(4096)
                name, end = _name(question)
                file.write(f"{name}\n")
                server.sendto(_answer(question, end), asker)

        threading.Thread(target=answer, daemon=True).start()
        yield


def _name(question: bytes) -> tuple[str, int]:
    """The name in a query and the offset of its end, in the format of RFC 1035, section 4."""
    labels, at = [], 12
    while length := question[at]:
        labels.append(question[at + 1 : at + 1 + length].decode(errors="replace"))
        at += 1 + length
    return ".".join(labels), at + 1


def _answer(question: bytes, end: int) -> bytes:
    kind = int.from_bytes(question[end : end + 2])
    record = b"\xc0\x0c" + struct.pack(">HHIH", _A, 1, 60, 4) + socket.inet_aton(_NO_ROUTE) if kind == _A else b""
    counts = struct.pack(">HHHH", 1, bool(record), 0, 0)
    return question[:2] + b"\x81\x80" + counts + question[12 : end + 4] + record


# --- the records of strace -----------------------------------------------------------------------------------------


def _calls(trace: str) -> Iterator[tuple[str, str, int]]:
    """Each call with its arguments and its result; joins the two parts of a call that another process interrupted."""
    begun: dict[str, str] = {}
    for line in trace.splitlines():
        process, _, text = line.partition(" ")
        text = text.strip()
        if text.endswith("<unfinished ...>"):
            begun[process] = text.removesuffix("<unfinished ...>").rstrip()
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>", text)
        if resumed:
            text = begun.pop(process, "") + text[resumed.end() :]
        if found := _CALL.match(text):
            yield found[1], found[2], int(found[3])
    for text in begun.values():  # calls of processes that were killed meanwhile
        name, _, given = text.partition("(")
        yield name, given, 0


def _beyond_loopback(given: str) -> Iterable[str]:
    for found in _ADDRESS.finditer(given):
        text = found[1] or found[2]
        address = ipaddress.ip_address(text)
        inner = getattr(address, "ipv4_mapped", None) or address
        if not (inner.is_loopback or inner.is_unspecified):
            yield text


def _written(given: str) -> Iterable[Path]:
    """The path that a call writes, by its arguments; nothing if the call only reads or the path is a device."""
    if re.search(r"\bO_RDONLY\b", given) and "O_CREAT" not in given:
        return
    texts = _TEXT.findall(given)
    folders = _FOLDER.findall(given)
    if not texts:
        return
    path = Path(folders[-1] if folders else ROOT) / texts[-1]
    if not str(path).startswith(_DEVICES):
        yield Path(os.path.normpath(path))


if __name__ == "__main__":
    main()
