"""Finds out which tile each class name of another program's data set means.

`tokens` splits a name into words, `vocabulary` knows their meanings, `grammar` reads one name in every possible way,
and `resolve` chooses one meaning for all names of the list together. `class_names` holds the result and the file with
which a person settles what cannot be known.
"""
