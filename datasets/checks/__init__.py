"""Checks that find what is wrong with a labelled data set."""
