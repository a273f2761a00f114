"""The command `tilescore`, also as `python -m tilescore`. Ctrl-C ends it quietly while its parts are loaded, too."""

from tilescore.processes.stopping import stoppable


def main() -> None:
    """Run the command line; see `tilescore.ui.cli.main`."""
    with stoppable():
        from tilescore.ui.cli.main import main as run  # takes a moment

        run()


if __name__ == "__main__":
    main()
