"""What `mainblock explain` and `mainblock inspect` show: pages, decisions and rules, to be seen."""
