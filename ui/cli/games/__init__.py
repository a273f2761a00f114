"""Commands for the games that are kept on this machine."""
