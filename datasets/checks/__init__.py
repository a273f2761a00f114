"""Checks that find what is wrong with a labelled data set. Each of them returns values of `finding.Finding`."""
