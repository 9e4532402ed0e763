"""Rules in Redis, for a fleet of crawlers: one key a site, and what they learn of it together."""
