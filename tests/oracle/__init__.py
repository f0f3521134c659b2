"""A slow, plain and independent checker of the rules, used against the fast engine."""
