"""Which of the tiles in a photo are the hand, learned from photos that people judged."""
