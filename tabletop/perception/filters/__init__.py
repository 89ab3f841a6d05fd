"""What makes a die unsure that the reader was sure of."""
