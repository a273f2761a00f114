"""Which of the tiles are the hand, and what part each plays."""
