"""A game over many deals: ledger, whole games, hands one tile off, streams of hands and deals."""
