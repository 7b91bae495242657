//! Functions of Open Cluster Management.
//!
//! # Source
//! `open-cluster-management.io/sdk-go` pkg/cel/library.

use super::declaration::Row;
use crate::context::{Context, EvalError};
use crate::value::{Built, Map, Str, Value, owned};

pub(super) const ROWS: &[Row] = &[
    Row("scores", "cluster_scores", "dyn.(string) -> list(dyn)", Some(scores)),
    Row("parseJSON", "parse_json_string", "string.() -> dyn", Some(parse_json)),
];

/// Returns the scores in an AddOnPlacementScore of the cluster.
fn scores<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    // Upstream aborts the evaluation for anything that is not a cluster, even if the value is not needed.
    let [Value::Map(cluster), Value::String(name)] = args else { return Err(EvalError::Cancelled) };
    let metadata = cluster.find(&Value::String(Str::Borrowed("metadata"))).ok_or(EvalError::Failed)?;
    let Value::Map(metadata) = metadata else { return Err(EvalError::Cancelled) };
    let cluster = metadata.find(&Value::String(Str::Borrowed("name"))).ok_or(EvalError::Failed)?;
    let Value::String(cluster) = cluster else { return Err(EvalError::Cancelled) };
    let found = context.scores.find(&cluster, name).ok_or(EvalError::Failed)?;
    context.meter.allocate(found.len().saturating_mul(16))?;
    let score = |(name, value): (&'a str, i64)| {
        let mut built = Built::default();
        built.insert(Value::string("name"), Value::String(Str::Borrowed(name)));
        built.insert(Value::string("value"), Value::Int(value));
        Value::Map(Map::of(built))
    };
    Ok(Value::list(found.into_iter().map(score).collect()))
}

fn parse_json<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, EvalError> {
    let [Value::String(text)] = args else { return Err(EvalError::Failed) };
    context.meter.allocate(text.len().saturating_mul(4))?;
    serde_json::from_str(text).map(owned).map_err(|_| EvalError::Failed)
}
