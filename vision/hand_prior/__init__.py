"""How likely a hand is before anything is seen: melds, completeness, order."""
