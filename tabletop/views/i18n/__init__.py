"""Languages: messages and rule words, looked up by their ids in files that anybody can write."""
