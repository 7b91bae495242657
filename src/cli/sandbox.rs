//! `tidegate sandbox`: the embedded hub alone, for kubectl.
