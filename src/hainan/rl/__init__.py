"""Learning environments, datasets and clusters: what may need packages of the extra ``rl``."""
