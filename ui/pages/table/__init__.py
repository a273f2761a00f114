"""The table page: a game and its ledger."""
