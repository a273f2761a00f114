"""Keys of the core turned into the words of a language."""
