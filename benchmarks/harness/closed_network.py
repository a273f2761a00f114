"""A network of its own for a process, with a name server that answers and logs: what would leave this machine is seen.

`in_closed_network` runs Python in fresh network and mount namespaces of Linux. There, the loopback device is the only
one, `/run` is empty, so that no name service outside answers, and every name leads to an address without a route.
`watched` is the command line that runs a program in there under strace, which sees the calls of C++ code too.
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
"""An address for documentation (RFC 5737): nobody has it."""
_A: Final = 1
"""The type of a question for an IPv4 address (RFC 1035)."""

_CALL: Final = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_TEXT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_FOLDER: Final = re.compile(r'(?:AT_FDCWD|\d+)<([^>]*)>, "')
_ADDRESS: Final = re.compile(r'inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)"')


@dataclass(frozen=True, slots=True)
class Traffic:
    """What programs tried.

    Attributes:
        lookups: names that were asked for, in order.
        contacts: addresses beyond loopback that a socket was connected to or sent to, answered or not.
        written: files and folders that were opened for writing, made, linked or renamed to.
    """

    lookups: tuple[str, ...]
    contacts: tuple[str, ...]
    written: tuple[Path, ...]

    def written_outside(self, *folders: Path) -> tuple[Path, ...]:
        """What was written elsewhere than in these folders; to make the folders around one of them is no fault."""
        return tuple(
            path
            for path in self.written
            if not any(path.is_relative_to(folder) or folder.is_relative_to(path) for folder in folders)
        )


def missing() -> str:
    """What keeps this machine from watching, in a sentence; empty where it can."""
    tools = [name for name in ("unshare", "mount", "strace") if which(name) is None]
    if not sys.platform.startswith("linux") or tools:
        return f"watching the network needs Linux and {', '.join(tools) or 'its namespaces'}."
    done = subprocess.run([*_unshare(), "true"], check=False, capture_output=True)  # noqa: S603
    return "" if done.returncode == 0 else "this machine lets nobody make a network namespace."


def in_closed_network(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Traffic:
    """Run `python WORDS` there until it ends.

    Args:
        words: what follows `python` on the command line.
        folder: an empty folder for what is noted.
        environment: all variables of the process.

    Raises:
        RuntimeError: the process ended with another status than 0.
    """
    command = [*_unshare(), sys.executable, "-m", "benchmarks.harness.closed_network", str(folder), *words]
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
    """Words before a command line that let strace note in that folder what the command does, under that name."""
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


def _unshare() -> tuple[str, ...]:
    """Whatever still runs when the first process ends is killed; without root's rights, users need a namespace, too."""
    own = () if os.geteuid() == 0 else ("--map-root-user",)
    return ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", *own)


# --- inside ---------------------------------------------------------------------------------------------------------


def main() -> None:
    """Run the rest of the command line as a Python program behind the name server, in namespaces already made."""
    folder, words = Path(sys.argv[1]), sys.argv[2:]
    _loopback_up()
    _ask_only(folder, "127.0.0.1")
    with _name_server(folder / _LOOKUPS):
        status = subprocess.run([sys.executable, *words], check=False).returncode  # noqa: S603
    sys.exit(status)


def _loopback_up() -> None:
    """As `ip link set lo up` does; the numbers are those of linux/if.h and linux/sockios.h."""
    import fcntl  # not on Windows, where tests import this file, too

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))


def _ask_only(folder: Path, address: str) -> None:
    """Let the C library ask that name server, and no service of the machine."""
    mount = which("mount") or "mount"
    subprocess.run([mount, "-t", "tmpfs", "tmpfs", "/run"], check=True)  # noqa: S603
    configuration = folder / "resolv.conf"
    configuration.write_text(f"nameserver {address}\n")
    place = Path("/etc/resolv.conf").resolve()
    if place.is_relative_to("/run"):  # a link to what is hidden now
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch()
    subprocess.run([mount, "--bind", str(configuration), str(place)], check=True)  # noqa: S603


@contextmanager
def _name_server(log: Path) -> Iterator[None]:
    """Answer each question for an IPv4 address with one that has no route; write each name to a line of the log."""
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
    """The name in a question, and where it ends; format of RFC 1035, section 4."""
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


# --- what strace wrote ----------------------------------------------------------------------------------------------


def _calls(trace: str) -> Iterator[tuple[str, str, int]]:
    """Each call with its arguments and result; one that another process interrupted is put together again."""
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
    for text in begun.values():  # whoever was killed meanwhile
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
    """The file that a call writes, by its arguments; none if it only reads or the file is a device."""
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
