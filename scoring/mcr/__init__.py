"""Mahjong Competition Rules: 81 fans of documents 002 and 003 (scoring/sources.md)."""
