"""Renders a decision as text with paragraphs, as clean HTML and as Markdown."""
