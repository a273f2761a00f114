"""Fuzz the scoring of hands, guided by branch coverage: `python -m tests.fuzz.guided --runs 200000`.

This command needs `atheris` (`pip install atheris`); no other part of the product needs it. The run starts from the
samples of `tests.fuzz` and ends at the first fault, whose input libFuzzer writes to the working folder. An input that
takes 5 s or 1 GB is a fault, too.
"""

import argparse
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.guided", description=__doc__)
    parser.add_argument("--runs", type=int, default=20_000, help="number of inputs")
    parser.add_argument("--seed", type=int, default=1, help="seed of the inputs")
    options = parser.parse_args()
    import atheris

    with atheris.instrument_imports(include=["tilescore.scoring"]):
        from tests.fuzz.texts import Hands
        from tilescore.errors import InputError
        from tilescore.scoring.ruleset import RULESETS

        count = len(RULESETS)
        hands, counts = Hands(), [0, 0]  # loads the rulesets, too; the numbers of tried and accepted inputs

    def feed(data: bytes) -> None:
        choice, text = (data[0] if data else 0), data[1:].decode(errors="replace")
        what = ("score", "settle", "notation")[choice // count % 3]
        counts[0] += 1
        with suppress(InputError):
            counts[1] += hands.feed(f"{[*RULESETS][choice % count]} {what} {text}".encode())
        if counts[0] == options.runs:
            print(f"{counts[0]} inputs, {counts[1]} accepted, no fault", flush=True)

    with tempfile.TemporaryDirectory() as corpus:
        for number in range(400):
            name, what, line = hands.make(Random(number), number).split(b" ", 2)
            choice = [*RULESETS].index(name.decode()) + count * ("score", "settle", "notation").index(what.decode())
            (Path(corpus) / str(number)).write_bytes(bytes([choice]) + line)
        limits = [f"-runs={options.runs}", f"-seed={options.seed}", "-timeout=5", "-rss_limit_mb=1024", "-max_len=4096"]
        atheris.Setup([sys.argv[0], corpus, *limits], feed)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
