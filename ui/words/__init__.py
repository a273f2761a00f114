"""Keys of results, errors and doubts turned into the words of a language."""
