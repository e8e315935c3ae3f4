"""What every game must pass: one suite, run over all of them."""
