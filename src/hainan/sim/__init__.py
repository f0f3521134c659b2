"""Many tables: bulk play in the compiled engine."""
