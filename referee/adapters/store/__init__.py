"""The store on SQLite or PostgreSQL: tables, transactions, migrations, and who may work on it."""
