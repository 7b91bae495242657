//! Which clusters get a new configuration at this moment, and which wait.
