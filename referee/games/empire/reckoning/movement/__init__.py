"""How far, over what and aboard what: passage says what a border lets through, distance and rates at what price, routes
by which way; carrying says what fits where. docs/decisions/009 explains a harbour.
"""
