//! Measures `fleet.yaml`: recording a fleet, writing and reading the document, restoring the fleet, and the rows of `tidegate fleet`.
//!
//! Run `cargo bench --bench fleet` on one core. The argument of a row is the number of clusters; each has ten add-ons.

#![expect(clippy::unwrap_used, reason = "a benchmark that panics must be fixed")]

use std::fmt::Write as _;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tidegate_journal::snapshot::{Filter, Snapshot};
use tidegate_model::time::Timestamp;

const FLEETS: [usize; 3] = [100, 1_000, 10_000];
const ADDONS: usize = 10;

fn main() {
    divan::main();
}

/// Returns the document of a fleet at rest.
fn text(clusters: usize) -> String {
    let mut text =
        "apiVersion: tidegate.io/v1alpha1\nkind: Fleet\ninstance: \"0123456789abcdef\"\nconfigurations:\n".to_owned();
    let resource = "addontemplates.addon.open-cluster-management.io";
    for addon in 0..ADDONS {
        let row =
            format!("{{\"resource\": \"{resource}\", \"name\": \"addon-{addon}-1.0\", \"hash\": \"{addon:064x}\"}}");
        let _ = writeln!(text, "  \"{addon:08x}\": [{row}]");
    }
    text.push_str("placements:\n  \"ocm/all\": {\"groups\": [{\"index\": 0}]}\nclusters:\n");
    for cluster in 0..clusters {
        let labels: Vec<String> = (0..8).map(|n| format!("\"example.com/label-{n}\": \"value-{cluster}\"")).collect();
        let addon = |addon| {
            let second = (cluster + addon) % 60;
            format!(
                "\"addon-{addon}\": {{\"assigned\": \"{addon:08x}\", \"since\": \"2026-03-01T12:00:{second:02}Z\"}}"
            )
        };
        let addons: Vec<String> = (0..ADDONS).map(addon).collect();
        let (labels, addons) = (labels.join(", "), addons.join(", "));
        let fields = format!("\"labels\": {{{labels}}}, \"groups\": {{\"ocm/all\": 0}}, \"addons\": {{{addons}}}");
        let _ = writeln!(text, "  \"cluster-{cluster:06}\": {{{fields}}}");
    }
    text
}

fn snapshot(clusters: usize) -> Snapshot {
    Snapshot::read(text(clusters).as_bytes()).unwrap()
}

#[divan::bench(args = FLEETS)]
fn record(bencher: Bencher<'_, '_>, clusters: usize) {
    let fleet = snapshot(clusters).fleet();
    bencher
        .counter(ItemsCount::new(clusters))
        .bench_local(|| black_box(Snapshot::of(&fleet, None, Timestamp::UNIX_EPOCH)));
}

#[divan::bench(args = FLEETS)]
fn write(bencher: Bencher<'_, '_>, clusters: usize) {
    let snapshot = snapshot(clusters);
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(snapshot.to_yaml()));
}

#[divan::bench(args = FLEETS)]
fn read(bencher: Bencher<'_, '_>, clusters: usize) {
    let text = text(clusters);
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(Snapshot::read(text.as_bytes()).unwrap()));
}

#[divan::bench(args = FLEETS)]
fn restore(bencher: Bencher<'_, '_>, clusters: usize) {
    let snapshot = snapshot(clusters);
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(snapshot.fleet()));
}

#[divan::bench(args = FLEETS)]
fn rows(bencher: Bencher<'_, '_>, clusters: usize) {
    let snapshot = snapshot(clusters);
    bencher.counter(ItemsCount::new(clusters)).bench_local(|| black_box(snapshot.list(&Filter::default())));
}
