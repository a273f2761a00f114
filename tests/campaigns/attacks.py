"""Attack a running app and print what it withstood: `python -m tests.campaigns.attacks`."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.harness.app_process import chromium, running_app
from tests.harness.figures import Figure, at_least, at_most, show
from tests.harness.hostile_frames import cost
from tests.harness.hostile_names import NAMES, seen
from tests.harness.linked_folders import LINKS, SECRET, linked, swapped
from tests.harness.strangers import answer, foreign_pages, guesses, open_home, silent

if TYPE_CHECKING:
    from collections.abc import Callable

_PASSPHRASE: Final = "four odd wooden spoons"  # noqa: S105  # opens nothing but this measurement
_COMPARED: Final = (303, 401)
"""The statuses of a guess that was compared."""
_RIGHT: Final = 303


def foreign() -> list[Figure]:
    """Pages of other sites and foreign names, by HTTP and by socket, with settings of the user that open everything."""
    with tempfile.TemporaryDirectory() as folder:
        home = open_home(Path(folder) / "home")
        with running_app(Path(folder) / "data", HOME=str(home)) as address:
            port = int(address.rpartition(":")[2])
            pages = foreign_pages(port)
            answers = {upgrade: [answer(port, page, upgrade=upgrade) for page in pages] for upgrade in (False, True)}
    refused = {upgrade: sum(status == 403 for status, _ in found) for upgrade, found in answers.items()}
    slowest = max(seconds for found in answers.values() for _, seconds in found)
    return [
        at_least(f"{len(pages)} foreign pages by HTTP: refused", refused[False], len(pages)),
        at_least(f"{len(pages)} foreign pages by socket: refused", refused[True], len(pages)),
        at_most("slowest refusal, ms", 1000 * slowest, 50),
    ]


def passphrase() -> list[Figure]:
    """Two thousand guesses with held bodies: from one address, then from forty; afterwards an innocent guest."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    figures = []
    for addresses in (1, 40):
        with (
            tempfile.TemporaryDirectory() as folder,
            running_app(Path(folder), "--share-lan", TILESCORE_PASSPHRASE=_PASSPHRASE) as address,
        ):
            port = int(address.rpartition(":")[2])
            wrong = [f"guess {number}" for number in range(2000 // addresses)]
            found = guesses(port, {f"127.0.1.{number + 1}": wrong for number in range(addresses)})
            compared = [sum(status in _COMPARED for status in statuses) for statuses in found.values()]
            start = time.perf_counter()
            while guesses(port, {"127.0.2.1": [_PASSPHRASE]})["127.0.2.1"] != [_RIGHT]:
                if time.perf_counter() - start > 60:
                    break
            figures += [
                at_most(f"2,000 guesses at once, {addresses} addresses: compared, an address", max(compared), 5),
                at_most(f"2,000 guesses at once, {addresses} addresses: compared in all", sum(compared), 30),
                at_most(f"innocent guest after {addresses} addresses: s", time.perf_counter() - start, 5),
            ]
    return figures


def silence() -> list[Figure]:
    """Connections of strangers who say nothing, half a handshake, or nothing after the handshake."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_app(Path(folder), "--share-lan", TILESCORE_PASSPHRASE=_PASSPHRASE) as address,
    ):
        return [at_most("silent connections without cookie: end after, s", silent(int(address.rpartition(":")[2])), 16)]


def camera() -> list[Figure]:
    """Fifty hostile messages of a camera."""
    memory, slowest = cost()
    return [
        at_most("50 hostile camera messages: memory, MB", memory, 100),
        at_most("50 hostile camera messages: slowest, ms", slowest, 100),
    ]


def links() -> list[Figure]:
    """Twelve label folders in which a link leads out, from the start and swapped in later."""
    changed, told = 0, 0
    for attack in (linked, swapped):
        for link in LINKS:
            with tempfile.TemporaryDirectory() as folder:
                outcome = attack(Path(folder), link)
                changed += outcome.changed
                told += SECRET in outcome.said
    return [
        at_most(f"{len(LINKS)} linked folders: bytes changed outside", changed, 0),
        at_most(f"{len(LINKS)} linked folders: files outside that were shown", told, 0),
    ]


def names() -> list[Figure]:
    """Hostile names of players and hostile links on five pages each."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        found = seen(Path(folder), NAMES, browser)
    return [
        at_most(f"{found.states} pages with hostile names: scripts", found.scripts, 0),
        at_most(f"{found.states} pages with hostile names: links", found.links, 0),
        at_most(f"{found.states} pages with hostile names: requests to elsewhere", len(found.requests), 0),
    ]


ATTACKS: Final[tuple[Callable[[], list[Figure]], ...]] = (foreign, passphrase, silence, camera, links, names)


def main() -> None:
    """Print the figures of every attack, or of those named; the exit status is 1 if one breaks a promise."""
    chosen = sys.argv[1:]
    figures = [figure for attack in ATTACKS if not chosen or attack.__name__ in chosen for figure in attack()]
    show(figures)
    sys.exit(not all(figure.good for figure in figures))


if __name__ == "__main__":
    main()
