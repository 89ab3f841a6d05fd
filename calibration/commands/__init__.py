"""The subcommands of `tabletop calibrate`, and `tabletop mat`: each declares its arguments and runs."""
