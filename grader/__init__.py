"""Everything that knows attention, marking and the sandbox; nothing here knows Django."""
