"""Feed corrupted input to every reader of user input, and report all faults.

    python -m tests.fuzz --photos 20000 --hands 200000 --ledgers 20000 --labels 20000

A reader must accept an input or reject it with an InputError. Everything else is a fault: another exception, more than
5 s of processor time, more than 1 GB of memory above the idle process, or the end of the process. Each target runs in a
separate process. If an input ends this process, a new process continues with the next input. An input depends only on
the seed and its number, so that `--only TARGET:NUMBER` repeats a reported fault. The folder `runs/fuzz` keeps the
inputs of faults.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from tests.fuzz.campaign import TARGETS, explored, made, target_of

if TYPE_CHECKING:
    from tests.fuzz.campaign import Tally


def main() -> None:
    """Try all inputs and print the table; the exit status is 1 if there is a fault."""
    parser = argparse.ArgumentParser(description="Feed corrupted input to every reader of user input.")
    for name in TARGETS:
        parser.add_argument(f"--{name}", type=int, default=0, metavar="COUNT", help=f"number of inputs for {name}")
    parser.add_argument("--seed", type=int, default=1, help="seed of the inputs")
    parser.add_argument("--only", metavar="TARGET:NUMBER", help="try one input in this process and show its traceback")
    wanted = parser.parse_args()
    if wanted.only:
        name, number = wanted.only.split(":")
        target = target_of(name)
        print(target.feed(made(target, name, seed=wanted.seed, number=int(number))))
        return
    tallies = [explored(name, getattr(wanted, name), seed=wanted.seed) for name in TARGETS if getattr(wanted, name)]
    _show(tallies)
    sys.exit(any(tally.faults for tally in tallies))


def _show(tallies: list[Tally]) -> None:
    print(f"{'target':8} {'inputs':>8} {'accepted':>8} {'faults':>7} {'slowest':>17} {'peak memory':>17}")
    for tally in tallies:
        seconds, slow = tally.slowest
        size, large = tally.largest
        print(
            f"{tally.target:8} {tally.tried:8} {tally.accepted:8} {len(tally.faults):7} {seconds:7.2f} s #{slow:<7} "
            f"{size / 1e6:7.0f} MB #{large:<7}"
        )
    for tally in tallies:
        for what, numbers in sorted(tally.faults.items(), key=lambda item: -len(item[1])):
            print(f"{tally.target}: {what}: {len(numbers)} times, --only {tally.target}:{numbers[0]}")


if __name__ == "__main__":
    main()
