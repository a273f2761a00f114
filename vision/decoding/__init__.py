"""The likeliest legal reading of a photo, and its doubts."""
