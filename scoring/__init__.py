"""Rules only: tiles in, points out. No picture, no user interface, no heavy import."""
