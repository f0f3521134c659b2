"""The live server: rooms, tables, storage, HTTP and WebSocket (docs/architecture.md, section 4)."""
