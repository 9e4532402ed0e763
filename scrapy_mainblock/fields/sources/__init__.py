"""The sources of a page's fields: linked data, metas, microdata, lines near the headline."""
