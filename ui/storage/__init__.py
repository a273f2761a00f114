"""What is kept on this machine: games, photos to learn from, links."""
