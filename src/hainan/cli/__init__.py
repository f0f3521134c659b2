"""The command line: one module a command, nothing imported before it is needed."""
