"""Measure what happens when things go wrong: `python -m tests.campaigns.damage kills disks photos folder environments`.

The promises: 300 kills lose and double nothing and leave nothing running; 50 situations of full, read-only and missing
disks change no file of the person; 130 odd inputs give the right hand or one sentence; 30,000 files need flat memory;
every command in 25 surroundings ends without a traceback.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from tests.harness.damage import big_folder, disks, environments, kills, odd_photos
from tests.harness.figures import Figure, show

if TYPE_CHECKING:
    from collections.abc import Callable

_SUBJECTS: Final[dict[str, Callable[[argparse.Namespace], list[Figure]]]] = {
    "kills": lambda options: kills.figures(options.kills),
    "disks": lambda _: disks.figures(),
    "photos": lambda _: odd_photos.figures(),
    "folder": lambda options: big_folder.figures(options.files),
    "environments": lambda _: environments.figures(),
}


def main() -> None:
    """Run the command line; the exit status is 1 if a figure misses its promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.campaigns.damage", description=__doc__)
    parser.add_argument("subjects", nargs="*", choices=[[], *_SUBJECTS], help="what to measure; all without it")
    parser.add_argument("--kills", type=int, default=300, help="number of kills")
    parser.add_argument("--files", type=int, default=30_000, help="number of files in the folder")
    options = parser.parse_args()
    good = True
    for subject in options.subjects or _SUBJECTS:
        figures = _SUBJECTS[subject](options)
        show(figures)
        sys.stdout.flush()
        good &= all(figure.good for figure in figures)
    sys.exit(not good)


if __name__ == "__main__":
    main()
