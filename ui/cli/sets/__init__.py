"""Commands about data sets: names, checks, conversion, suggestions, and the start of the annotator."""
