"""The `mainblock` command: one module a subcommand, `main` puts them together."""
