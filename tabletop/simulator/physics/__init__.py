"""How dice tumble, land, lean and are pushed."""
