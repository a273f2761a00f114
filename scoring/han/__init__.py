"""What riichi for four and for three players has in common: the ruleset, payments, sticks."""
