//! The clusters of an add-on as a table, with one line for all clusters that have the same state and version.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tidegate_journal::record::ClusterReport;
use tidegate_model::line::one_line;
use tidegate_model::name::ClusterName;
use tidegate_model::plural::first_of;
use tidegate_model::progress::ClusterState;

/// Number of clusters that a line names.
const NAMED: usize = 5;

/// Returns the table. Clusters that need attention come first, and those that are done come last.
pub(in crate::cli) fn table(clusters: &BTreeMap<ClusterName, ClusterReport>) -> String {
    // Degraded clusters come before healthy ones.
    let mut rows: BTreeMap<(u8, bool, &str), (ClusterState, Vec<&ClusterName>)> = BTreeMap::new();
    for (name, report) in clusters {
        let key = (order(report.state), report.degraded.is_none(), report.version.as_str());
        rows.entry(key).or_insert_with(|| (report.state, Vec::new())).1.push(name);
    }
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("\n  {:<21} {:<12} CLUSTERS\n", "STATE", "VERSION");
    for ((_, is_well, version), (state, named)) in rows {
        let state = format!("{state}{}", if is_well { "" } else { " (degraded)" });
        let version = if version.is_empty() { "-".to_owned() } else { one_line(version) };
        // Writing into a String cannot fail.
        let names = first_of(named.iter().map(|name| name.as_str()), NAMED);
        let _ = writeln!(text, "  {state:<21} {version:<12} {:>5}  {names}", named.len());
    }
    text
}

/// Returns the position of a state in a list for people: causes come before the clusters that wait for them, and what is
/// done comes last.
pub(in crate::cli) fn order(state: ClusterState) -> u8 {
    match state {
        ClusterState::TimedOut => 0,
        ClusterState::Failed => 1,
        ClusterState::Progressing => 2,
        ClusterState::Soaking => 3,
        ClusterState::Removing => 4,
        ClusterState::Leaving => 5,
        ClusterState::Waiting => 6,
        ClusterState::Removed => 7,
        ClusterState::Succeeded => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(state: &str, version: &str, degraded: &str) -> ClusterReport {
        let text = format!("{{\"state\":\"{state}\",\"version\":\"{version}\"{degraded}}}");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn clusters_are_folded_and_what_needs_attention_comes_first() {
        let mut clusters: BTreeMap<ClusterName, ClusterReport> = BTreeMap::new();
        for n in 1..=9 {
            let state = if n < 8 { report("Waiting", "1", "") } else { report("Failed", "2", "") };
            clusters.insert(format!("c{n}").parse().unwrap(), state);
        }
        clusters.insert("d1".parse().unwrap(), report("Succeeded", "2", ",\"degraded\":\"x\""));
        clusters.insert("d2".parse().unwrap(), report("Succeeded", "2", ""));
        clusters.insert("e".parse().unwrap(), report("Waiting", "", ""));
        insta::assert_snapshot!(table(&clusters), @r"
        STATE                 VERSION      CLUSTERS
        Failed                2                2  c8, c9
        Waiting               -                1  e
        Waiting               1                7  c1, c2, c3, c4, c5 and 2 more
        Succeeded (degraded)  2                1  d1
        Succeeded             2                1  d2
        ");
        assert_eq!(table(&BTreeMap::new()), "");
    }
}
