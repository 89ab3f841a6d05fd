"""The guided run: a set-up made step by step, with two buttons and a screen, and what is measured in it."""
