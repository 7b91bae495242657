//! Which clusters a Placement selects, and in which groups.
