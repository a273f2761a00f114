"""The standing of a game for a propped phone or tablet."""
