"""The classical rules of document 000 and the simplified ones of document 001 (scoring/sources.md)."""
