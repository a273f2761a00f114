"""Fine-tuning of the shipped networks on one more tile set (extra `train`)."""
