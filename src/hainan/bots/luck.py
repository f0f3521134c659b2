"""Random numbers of kernels (SplitMix64)."""

from typing import Any

import numpy as np

from hainan.engine.jit import kernel
from hainan.engine.record import Record


@kernel
def mix(value: Any) -> Any:
    """A well-mixed number of 64 bits (the finalizer of SplitMix64)."""
    x = np.uint64(value)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def below(t: Record, n: int) -> Any:
    """A number below n from the table's own generator (SplitMix64; n is small against 2**32)."""
    t.rng += np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mix(t.rng) >> np.uint64(32)) * np.uint64(n) >> np.uint64(32))
