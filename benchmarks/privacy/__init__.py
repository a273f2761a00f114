"""What leaves this machine, seen from outside."""
