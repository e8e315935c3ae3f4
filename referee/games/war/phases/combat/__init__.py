"""A player's combat: actions goes through his battles, explorers and prospectors in the order he wants.

A battle is land_battle, round by round (rounds, losses), until somebody leaves (retreat); natives_run says who leads the natives.
"""
