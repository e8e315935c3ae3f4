"""What is kept and can be asked for: the archive, the documents of SEND, the comparison and the proof of a log."""
