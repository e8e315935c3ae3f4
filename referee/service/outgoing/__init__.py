"""Letters out: what stands in and round them, who wishes them how, and the post room that queues them.

Begin with `post` (addresses, tokens, threads, the queue), `frames` (who is written to, what he owes by when) and `writing` (how
they are written out); what each says is data of `referee.service.letters`.
"""
