"""The circumstances of a win as one line of text, for tables of test cases."""

from tilescore.scoring.context import Context, Occasion, Seat, WinBy


def context_of(text: str) -> Context:
    """The circumstances in `S/E discard last_tile`: seat, round, how the winning tile came, occasions.

    >>> context_of("S/E self_draw last_tile").self_drawn
    True
    """
    seats, win_by, *occasions = text.split()
    seat, round_ = seats.split("/")
    return Context(seat=Seat(seat), round=Seat(round_), win_by=WinBy(win_by), occasions=Occasion.of(occasions))


def text_of(context: Context) -> str:
    """The inverse of `context_of`."""
    return " ".join((f"{context.seat}/{context.round}", str(context.win_by), *context.occasions.names))
