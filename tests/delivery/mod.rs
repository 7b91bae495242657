//! Tests of `delivery` through its public face.
