"""What pages share about a game: its players, its news, its course."""
