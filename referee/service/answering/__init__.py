"""A letter is read and answered: the desk for members, the front door for everybody else, the counter for the keeper.

`desk` and `front_door` are alike: read, do what can be done, say in one receipt what stands; `confirming` asks back first.
"""
