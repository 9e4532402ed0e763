"""Where rules and models are kept between runs."""
