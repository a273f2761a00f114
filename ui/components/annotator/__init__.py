"""The annotation canvas and its sheet."""
