"""Score lines and lists of fans."""
