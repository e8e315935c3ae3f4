"""The demos of War!: forms, table, scenes and match serve both editions; then what the players of each write and do."""
