"""One module a step. To change the schema: change `schema.py`, add a step here, and let the test compare."""
