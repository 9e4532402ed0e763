"""The spiders: `demo` crawls the bundled demo site, `site` any other site."""
