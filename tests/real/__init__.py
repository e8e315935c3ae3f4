"""The referee among real mail programs: Dovecot and Postfix on this machine alone, and four mail clients as players.

The programs come from Debian packages and are started here with settings of their own in a temporary folder, on free
ports of 127.0.0.1. Without the packages, or without root, these tests are skipped with a reason; with
REFEREE_REAL=required in the environment that is a failure.
"""
