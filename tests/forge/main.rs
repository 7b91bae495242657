//! Tests of the edge to forges.
