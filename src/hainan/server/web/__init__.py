"""HTTP and WebSocket: how players and programs reach the tables."""
