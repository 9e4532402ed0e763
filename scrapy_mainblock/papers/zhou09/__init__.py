"""[Zhou09], WPMTE: main text extraction by paragraph length."""
