"""Languages: messages and words of the rules, looked up by their ids in files that anybody can write."""
