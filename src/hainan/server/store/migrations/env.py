"""How Alembic runs the steps: on the connection, and in the transaction, that `migrate` has opened."""

from alembic import context

from hainan.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite can't change a column or a constraint in place: there a step copies the table.
    render_as_batch=True,
)
context.run_migrations()
