"""A turn runs: `advance` runs a match on as far as it goes, `reporting` makes reports, `publishing` mails and archives them."""
