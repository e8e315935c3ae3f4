"""Setting a referee up: the interview, what is written, what is printed. With real mail servers: tests/real/test_setup.py."""
