"""The steps from an empty database to the present one, run by `hainan.server.store.migrate`."""
