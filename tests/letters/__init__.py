"""Letters as mail programs send them: a corpus with expected results, and public sets from where they are installed."""
