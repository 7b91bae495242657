//! The edge to Git: mirrors, trees, commits and pushes.
