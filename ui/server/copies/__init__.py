"""Copies of everything over the address of their own."""
