"""Which tiles are the hand, measured on real photos whose roles people judged by eye."""
