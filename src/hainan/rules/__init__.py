"""What the game is, as data: tiles, terms, options, presets. No Numba, no I/O."""
