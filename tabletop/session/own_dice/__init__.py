"""Teaching the table a die that is shown face by face."""
