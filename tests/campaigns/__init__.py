"""Long tries that `make test` repeats in part: damage, traffic, attacks, oracles."""
