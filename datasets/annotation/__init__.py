"""Labels that people are working on: a folder of pictures, its history and its index."""
