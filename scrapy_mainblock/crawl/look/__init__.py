"""Inspecting what a crawl does: fetch one page to explain it, and write a report of a crawl."""
