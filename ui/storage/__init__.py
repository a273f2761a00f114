"""Everything that is kept: games, past hands, drafts, photos for training."""
