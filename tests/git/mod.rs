//! Tests of `git` through its public face.
