"""Learning environments, datasets and clusters: what may need packages beyond the game's own (``extra rl``)."""
