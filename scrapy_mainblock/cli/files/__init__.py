"""What the command reads pages from and writes what it found to."""
