"""Mahjong Competition Rules: 81 fans, documents 002 and 003."""
