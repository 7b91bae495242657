//! Tests of `hub` through its public face.
