"""Three-player riichi: the riichi of `scoring.riichi` with the differences of `scoring/sources.md`, decisions S-SAN."""
