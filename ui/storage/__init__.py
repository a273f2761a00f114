"""Everything that is kept: games, photos for training, links to a hand."""
