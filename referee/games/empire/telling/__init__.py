"""Everything that players are shown. After a slot: report with the audit of all that was told, sheets, the map (drawing), outlook.

Before it: forecast plays a sheet on a scratch table, for choices, PREVIEW and the doubts in a receipt.
"""
