//! The functions that expressions can call.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 common/stdlib, cel/library.go and ext/strings.go; `k8s.io/apiserver` v0.35 pkg/cel/library;
//! `open-cluster-management.io/sdk-go` pkg/cel/library. Names and signatures are exactly theirs.

mod cluster;
mod convert;
mod declare;
pub(super) mod format;
mod interpolate;
mod lists;
mod network;
mod number_text;
mod operators;
mod optional;
mod pattern;
mod quantities;
mod regular;
pub(super) mod semver;
mod strings;
mod timestamps;
pub(super) mod url;

pub(super) use self::declare::{Callee, Declared, Overload, find};
pub(super) use self::interpolate::{Clause, Sink, walk};
pub(super) use self::pattern::{Pattern, Patterns};
pub(super) use self::regular::takes_pattern;
