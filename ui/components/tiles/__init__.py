"""The photo with its tiles, rows and choices of tiles."""
