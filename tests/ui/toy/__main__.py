"""The program with the toy as one more ruleset: `python -m tests.ui.toy app`."""

from tilescore.scoring.ruleset import RULESETS, Entry
from tilescore.ui.cli.main import main

RULESETS["toy"] = Entry("tests.ui.toy.rules:Toy", also="plaything")

if __name__ == "__main__":
    main()
