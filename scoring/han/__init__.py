"""What riichi for four and for three players has in common besides the score of a hand."""
