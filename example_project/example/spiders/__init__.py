"""`demo` crawls the bundled site, `site` any other."""
