//! Functions of Open Cluster Management.
//!
//! # Source
//! `open-cluster-management.io/sdk-go` pkg/cel/library.

use super::declare::Row;
use crate::run::{Context, Fault};
use crate::value::{Built, Map, Text, Value, owned};

pub(super) const ROWS: &[Row] = &[
    Row("scores", "cluster_scores", "dyn.(string) -> list(dyn)", Some(scores)),
    Row("parseJSON", "parse_json_string", "string.() -> dyn", Some(parse_json)),
];

/// Returns the scores in an AddOnPlacementScore of the cluster.
fn scores<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    // Upstream aborts the evaluation for anything that is not a cluster, even if the value is not needed.
    let [Value::Map(cluster), Value::Text(name)] = args else { return Err(Fault::Cancelled) };
    let metadata = cluster.find(&Value::Text(Text::Borrowed("metadata"))).ok_or(Fault::Failed)?;
    let Value::Map(metadata) = metadata else { return Err(Fault::Cancelled) };
    let cluster = metadata.find(&Value::Text(Text::Borrowed("name"))).ok_or(Fault::Failed)?;
    let Value::Text(cluster) = cluster else { return Err(Fault::Cancelled) };
    let found = context.scores.find(&cluster, name).ok_or(Fault::Failed)?;
    context.meter.allocate(found.len().saturating_mul(16))?;
    let score = |(name, value): (&'a str, i64)| {
        let mut built = Built::default();
        built.insert(Value::text("name"), Value::Text(Text::Borrowed(name)));
        built.insert(Value::text("value"), Value::Int(value));
        Value::Map(Map::of(built))
    };
    Ok(Value::list(found.into_iter().map(score).collect()))
}

fn parse_json<'a>(context: &mut Context<'_, 'a>, args: &[Value<'a>]) -> Result<Value<'a>, Fault> {
    let [Value::Text(text)] = args else { return Err(Fault::Failed) };
    context.meter.allocate(text.len().saturating_mul(4))?;
    serde_json::from_str(text).map(owned).map_err(|_| Fault::Failed)
}
