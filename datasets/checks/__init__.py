"""Finding what is wrong with a labelled data set."""
