"""What players are shown. After a slot: report, sheets, the chart (drawing). Before it: choices, form, forecast, rehearsal.

forecast plays the rules on a scratch table, for PREVIEW and the doubts in a receipt; rehearsal plays them with dice. passages
and report tell a slot, outlook its budget; accounts is the audit.
"""
