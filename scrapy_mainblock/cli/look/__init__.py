"""The subcommands that show what was extracted, and why."""
