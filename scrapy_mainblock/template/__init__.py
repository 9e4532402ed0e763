"""What is learned about a site's templates: clusters, rules, and how pages are matched to them."""
