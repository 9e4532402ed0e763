"""[Zhou09], WPMTE: main text by the length of its paragraphs."""
