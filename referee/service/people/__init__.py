"""Who is who and who may come: admission, keys and addresses, readiness, seats handed on, how reliably somebody plays."""
