"""Other implementations beside ours: README.md. Each module is a program; test_other_implementations.py runs them."""
