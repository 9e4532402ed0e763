"""The files that the command writes, and the single page that some subcommands take."""
