//! Tests of `placement` through its public face.
