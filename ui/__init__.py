"""Every face to a person: command line, pages, components."""
