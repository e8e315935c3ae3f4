"""What a log can be shown to be by a few hashes and a signature: its Merkle tree, and the signed notes of its heads."""
