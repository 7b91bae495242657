//! The functions that expressions can call.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 common/stdlib, cel/library.go and ext/strings.go; `k8s.io/apiserver` v0.35 pkg/cel/library;
//! `open-cluster-management.io/sdk-go` pkg/cel/library. Names and signatures are exactly theirs.

mod cluster;
mod declaration;
mod kubernetes;
mod optional;
mod standard;
mod strings;
mod table;

pub(super) use self::declaration::{Callee, Declared, Overload};
pub(super) use self::kubernetes::regex::takes_pattern;
pub(super) use self::strings::format::{Clause, Sink, walk};
pub(super) use self::table::find;
