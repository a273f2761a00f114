"""Kills, full disks, odd files and odd surroundings: what every command does when things go wrong."""
