"""The `mainblock` command: a module for each subcommand, combined by `main`."""
