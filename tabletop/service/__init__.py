"""The table as a system service: its communication with the service manager."""
