//! Tests of `repository` through its public face.
