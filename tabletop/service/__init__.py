"""The table as a service of the machine: what the service manager hears of it."""
