"""A backup as a folder: what is in it, whether it is whole, and how a database comes into it and out of it.

Read in this order: manifest, sqlite, server.
"""
