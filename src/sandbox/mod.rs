//! The embedded hub: a Kubernetes API server in memory, with simulated agents.
