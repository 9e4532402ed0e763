"""The pages of files: JSON lines, HTML, mirrored sites, WARC archives, standard input."""
