//! The documentation lists exactly the news and metrics that the code reports.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tidegate_daemon::reconciler::news::{Facts, Kind, Names, News};
use tidegate_model::object::ObjectKey;

/// Returns the rows of the table between two markers of a page, without its header.
pub(super) fn table(page: &str, name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(crate::root::path(page)).unwrap();
    let (begin, end) = (format!("<!-- {name}: begin -->"), format!("<!-- {name}: end -->"));
    let table = text.split(&begin).nth(1).unwrap().split(&end).next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with('|')).skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Returns one item of each kind, with all of its data.
fn samples() -> Vec<News> {
    let addon = || "hello".parse().unwrap();
    let clusters = || ["a"].into_iter().collect::<Names>();
    let (to, reason) = (|| "2".to_owned(), || "because".to_owned());
    let object = ObjectKey::new("", "ConfigMap", "n", "c");
    vec![
        News::RolloutUnderway { addon: addon(), to: to(), clusters: 1 },
        News::RolloutStarted { addon: addon(), from: "1".to_owned(), to: to(), clusters: 1 },
        News::RolloutCompleted { addon: addon(), to: to(), clusters: 1 },
        News::RolloutStopped { addon: addon(), to: to(), group: Some("canary".to_owned()), reason: reason() },
        News::RolloutResumed { addon: addon(), to: to() },
        News::ApprovalAwaited {
            addon: addon(),
            to: to(),
            clusters: 1,
            gates: clusters(),
            reason: reason(),
            commands: vec![reason()],
        },
        News::RolledBack { addon: addon(), to: to(), clusters: 1, reason: reason() },
        News::ClustersAdded { addon: addon(), to: to(), clusters: clusters() },
        News::ClustersFailed { addon: addon(), clusters: clusters(), reason: reason() },
        News::ClustersTimedOut { addon: addon(), clusters: clusters(), reason: reason() },
        News::ClustersDegraded { addon: addon(), clusters: clusters(), reason: reason() },
        News::ClustersRecovered { addon: addon(), clusters: clusters() },
        News::AddonRefused { addon: addon(), reason: reason() },
        News::AddonHeld { addon: addon(), reason: reason() },
        News::AddonReleased { addon: addon() },
        News::AddonWithdrawn { addon: addon(), clusters: 1 },
        News::UninstallStarted { addon: addon(), clusters: clusters() },
        News::UninstallCompleted { addon: addon(), clusters: clusters() },
        News::GatesOverridden { reason: reason() },
        News::BrakeHeld { reason: reason() },
        News::BrakeReleased { reason: reason() },
        News::DriftRepaired { addon: Some(addon()), objects: clusters(), object: Some(object.clone()) },
        News::ForeignWriter { addon: Some(addon()), object, repairs: 3 },
    ]
}

#[test]
fn every_kind_of_news_is_documented_with_its_fields() {
    let samples = samples();
    assert_eq!(samples.iter().map(News::kind).collect::<Vec<_>>(), Kind::ALL);
    let rows = samples.iter().map(|news| {
        let (kind, fields) = (news.kind(), Facts::of(news).fields());
        let level = if kind.is_warning() { "Warning" } else { "Normal" };
        vec![kind.reason(), level.to_owned(), kind.title().to_owned(), fields.join(", ")]
    });
    assert_eq!(table("docs/observability.md", "news"), rows.collect::<Vec<_>>());
}

/// Returns the names of all metrics that the code registers.
fn registered(directory: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            registered(&path, found);
        } else if path.ends_with("metrics.rs") {
            let text = fs::read_to_string(path).unwrap();
            let strings = text.split('"').skip(1).step_by(2).filter(|string| string.starts_with("tidegate_"));
            found.extend(strings.map(str::to_owned));
        }
    }
}

#[test]
fn every_metric_is_documented() {
    let mut found = BTreeSet::new();
    registered(&crate::root::path("src"), &mut found);
    let rows = table("docs/metrics.md", "metrics");
    let documented: BTreeSet<String> = rows
        .iter()
        .map(|row| {
            let (name, kind) = (row[0].trim_matches('`'), row[1].as_str());
            // The encoder adds the suffix to the names of counters.
            let base =
                if kind == "counter" { name.strip_suffix("_total").expect("a counter has this suffix") } else { name };
            base.to_owned()
        })
        .collect();
    assert_eq!(documented, found);
    assert_eq!(rows.len(), found.len(), "no metric is documented twice");
}
