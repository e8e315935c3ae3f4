"""A turn runs: `advance` runs a match on as far as it goes, `told_pages` makes reports, `publishing` mails and archives them."""
