"""Setting up camera and lamp with a phone in the other hand: the picture live, and large plain signs."""
