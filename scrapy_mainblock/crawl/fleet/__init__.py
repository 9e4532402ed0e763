"""A fleet: several crawls that keep their rules in one place and learn together."""
