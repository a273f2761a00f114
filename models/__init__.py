"""The shipped networks, and how they are made: registry, training, export, evaluation."""
