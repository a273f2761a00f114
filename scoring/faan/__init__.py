"""Games whose hands are worth a sum of lines: Hong Kong in faan, Taiwan in tai (scoring/sources.md)."""
