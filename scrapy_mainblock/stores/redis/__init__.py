"""Rules in Redis, for a fleet of crawlers: one key for each site, which they learn together."""
