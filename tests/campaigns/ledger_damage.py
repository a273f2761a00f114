"""Flips bits in a file of games: every game is whole, or named as damaged; nothing changes without a word.

`python -m tests.campaigns.ledger_damage --flips 1000` flips one bit at a time and reads everything that the app reads.
"""

import argparse

from tests.harness.ledger_damage import measure


def main() -> None:
    """Print the count of each outcome."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for name, count in measure(given.flips, seed=given.seed).most_common():
        print(f"{count:6d}  {name}")


if __name__ == "__main__":
    main()
