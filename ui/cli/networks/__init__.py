"""Commands for models that are files."""
