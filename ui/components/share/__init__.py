"""A result to share."""
