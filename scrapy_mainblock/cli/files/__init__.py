"""The files that the command reads pages from and writes its output to."""
