"""Everything that is stored, in every form in which it ever was: kept for ever, and read by every later program.

`subjects` says what is stored and how it is read, `examples` makes one of each form, `keep` lays those that are new beside the
others (`make keep-stored`), and `test_kept` reads all of them. Format 0 is what was stored before forms were counted.
"""
