"""What can go wrong with the storage, in sentences for people."""


class StoreError(Exception):
    """The database can't be used as asked; the text is one sentence that says why."""


class StorageError(StoreError):
    """A commit was not carried out; nothing of it is stored."""


class NameTakenError(StoreError):
    """Another account has this name."""

    def __init__(self, name: str) -> None:
        """For the name that was asked for."""
        super().__init__(f"another account is called {name!r}")
