"""Labels while people work on them: a folder of pictures, its history and its index."""
