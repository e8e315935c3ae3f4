"""Events of work: what is built, made and torn down."""
