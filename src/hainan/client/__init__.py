"""Playing at a live server from other programs: a client of its protocol, and a player by a policy."""
