//! Tests of `sandbox` through its public face.
