"""Where a page says something of itself: linked data, metas, microdata, lines near the headline."""
