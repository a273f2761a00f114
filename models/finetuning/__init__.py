"""Teaching the shipped networks one more tile set (extra `train`)."""
