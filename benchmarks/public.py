"""Measure any reader of hands on public photos: `python -m benchmarks.public CLONES READINGS.jsonl`.

`public_hands.jsonl` names 113 photos in public repositories, by repository, commit, path and git's hash of the file,
with the hand that each shows, judged by eye. It holds no picture: clone the repositories into one folder. Without
READINGS the command prints the photos that it finds in CLONES, one path a line, for a reader to read.

READINGS has one JSON object a line, in the form of `tilescore read --json`: `photo`, a path inside CLONES or a whole
one, and `hand` with `concealed`, `melds`, `winning_tile` and `bonus`. A reader that names tiles alone puts all of them
into `concealed`. Each photo counts by the content of its file, wherever it lies, or by its `id` as the name of a copy.
Each source counts alike.
"""

import argparse
from pathlib import Path

from tests.harness.figures import show
from tests.harness.public import figures_of, found_in, public_photos, readings_in
from tilescore.errors import InputError


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.public", description=__doc__)
    parser.add_argument("clones", type=Path, help="the folder with the clones of the repositories")
    parser.add_argument("readings", type=Path, nargs="?", help="what a reader prints, one JSON object a line")
    options = parser.parse_args()
    photos = public_photos()
    try:
        if options.readings is None:
            print(*found_in(options.clones, photos), sep="\n")
        else:
            show(figures_of(photos, readings_in(options.clones, options.readings, photos)))
    except (InputError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
