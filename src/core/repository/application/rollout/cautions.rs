//! What may go wrong with batches, although it is no mistake.

use super::batches::{Amount, sizes};
use super::properties::{Given, given};
use crate::application::parsed::Component;
use crate::settings::Executor;
use tidegate_api::schema::path::Path;

/// Returns what may go wrong with the batches of a component, each at a path below the component.
pub(in crate::application) fn cautions(component: &Component, executor: Executor) -> Vec<(Path, String)> {
    let Some(Given { index, properties }) = given(component) else { return Vec::new() };
    let (amounts, target) = (properties.amounts(), properties.target_size);
    let Ok(sizes) = sizes(&amounts, target) else { return Vec::new() };
    let at = Path::default().member("traits").item(index).member("properties");
    let mut found = Vec::new();
    let is_standard = executor == Executor::Standard;
    if is_standard && sizes.sum < target && amounts.iter().any(|amount| matches!(amount, Amount::Replicas(_))) {
        let why = format!(
            "add up to {}, and targetSize is {target}: the controller accepts them only where the size changes by {}; percentages are accepted \
             always",
            sizes.sum, sizes.sum
        );
        found.push((at.member("rolloutBatches"), why));
    }
    let last = sizes.each.len().saturating_sub(1);
    if let Some(partition) =
        properties.batch_partition.filter(|partition| usize::try_from(*partition).is_ok_and(|at| at < last))
    {
        let what = match executor {
            Executor::Standard => "no cluster is done before a commit raises it",
            Executor::Strategy => "the replicas of later batches stay as they are, also where the cluster is done",
        };
        let why = format!("is {partition}, and the last batch is {last}: {what}");
        found.push((at.member("batchPartition"), why));
    }
    found
}
