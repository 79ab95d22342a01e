"""Real control planes as plain processes: no Docker, everything on loopback, everything stopped at the end."""
