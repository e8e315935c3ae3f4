"""The twelve phases of a turn, a function each. They read like their paragraphs and cite their rule ids.

Read turn, event, upkeep, production, trade, research, purchases, exploration, colonization, transport, war.
"""
