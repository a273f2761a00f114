"""`python -m tilescore` is the command `tilescore`."""

from tilescore.ui.cli.main import main

main()
