"""Archives before two judges: the referee himself, and the verifier in JavaScript, which was written from docs/verify.md alone.

Without Node these tests are left out; with REFEREE_REAL=required in the environment that is a failure.
"""
