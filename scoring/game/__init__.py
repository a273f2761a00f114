"""A game over many deals: ledger, progression of the winds, streams of hands and deals."""
