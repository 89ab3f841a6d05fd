"""What happens while people throw dice, with the throws that count."""
