"""What reading a photo costs, alone and beside another program."""
