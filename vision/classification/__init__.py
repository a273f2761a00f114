"""Naming one tile: crops, rectified faces, fused probabilities."""
