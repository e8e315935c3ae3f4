"""The parts that all games share, pure: no mail, no clock, no database, no chance but the table's.

Read in this order: names, event, chance, order, question, table, game, record, stage, position, choices, page, normal_text,
older_data, signed_note, hash_tree.
"""
