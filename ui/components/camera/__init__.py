"""The camera of the live page."""
