"""The annotation page."""
