"""What pages share about the score of a hand: how it was won, the total, the lines, the booking in a game."""
