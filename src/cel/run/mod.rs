//! Evaluates a checked expression for one cluster, and counts the cost as upstream does.
//!
//! # Source
//! `github.com/google/cel-go` v0.29 interpreter; the prices are of interpreter/runtimecost.go, ext/strings.go, and
//! `open-cluster-management.io/sdk-go` pkg/cel/library/cost.go.

mod attribute;
mod call;
mod evaluate;
mod fold;
mod plan;
mod price;
mod step;

pub(super) use self::evaluate::evaluate;
pub(super) use self::plan::plan;
pub(super) use self::step::Step;
