"""Copies of what the program keeps, as one file: written, read entry by entry, checked field by field."""
