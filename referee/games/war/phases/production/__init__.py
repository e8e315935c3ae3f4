"""Production in its order: auction, maintenance, income, native_diplomacy with revolt, construction.

consent mends what was bought under seal and is not lawful.
"""
