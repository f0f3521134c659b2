"""The referee: kernels over one table record, compiled by Numba, and nothing else."""
