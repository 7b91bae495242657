//! Tests of `rollout` through its public face.
