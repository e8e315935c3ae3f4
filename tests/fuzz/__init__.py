"""Letters nobody would write: mutated by hypothesis in every run, searched for by a coverage-guided fuzzer in a long one."""
