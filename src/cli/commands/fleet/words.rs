//! Messages about filters that leave nothing.

use std::collections::BTreeSet;

use tidegate_journal::snapshot::{Filter, Listing};
use tidegate_model::name::UnitName;
use tidegate_model::near::nearest;
use tidegate_model::plural::{counted, first_of};

/// Returns why no row is left, with the filter that removed the last ones; `None` if there are rows.
pub(super) fn empty(listing: &Listing, filter: &Filter) -> Option<String> {
    let Listing { rows, clusters, matching, installed, named } = listing;
    if !rows.is_empty() {
        return None;
    }
    let on = |count: &usize| {
        let labels = if filter.labels.is_everything() { "" } else { " with these labels" };
        format!("{}{labels}", counted(*count, "cluster"))
    };
    Some(match (clusters, matching, installed, named) {
        (0, ..) => "the fleet has no clusters".to_owned(),
        (clusters, 0, ..) => format!("--label matches no cluster; the fleet has {}", counted(*clusters, "cluster")),
        (_, matching, 0, _) => format!("no add-on is on the {}", on(matching)),
        (_, matching, _, 0) => {
            let addon = filter.addon.as_ref().map(UnitName::as_str).unwrap_or_default();
            format!("--addon {addon} is not on the {}", on(matching))
        }
        (.., named) => {
            let state = filter.state.map(|state| state.to_string()).unwrap_or_default();
            let others = counted(*named, "row");
            format!("--state {state} matches no row; without it, {others} would be left")
        }
    })
}

/// Describes the name of an add-on that the fleet does not have.
pub(super) fn unknown(name: &str, known: &BTreeSet<&UnitName>) -> String {
    let names = || known.iter().map(|name| name.as_str());
    let remedy = match nearest(name, names()) {
        Some(near) => format!("did you mean {near:?}?"),
        None if known.is_empty() => "it has no add-ons".to_owned(),
        None => format!("it has {}", first_of(names(), 10)),
    };
    format!("--addon {name}: the fleet has no add-on of that name; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tidegate_go::label_selector::LabelSelector;
    use tidegate_journal::snapshot::{RowState, Snapshot};

    fn fleet() -> Snapshot {
        let text = "apiVersion: tidegate.io/v1alpha1\nkind: Fleet\nclusters:\n\
                    \x20 \"c1\": {\"labels\": {\"region\": \"eu\"}, \"addons\": {\"hello\": {}}}\n\
                    \x20 \"c2\": {\"labels\": {\"region\": \"us\"}}\n\
                    \x20 \"c3\": {\"labels\": {\"region\": \"ap\"}, \"addons\": {\"other\": {}}}\n";
        Snapshot::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_filter_that_removes_the_last_row_is_named() {
        let message = |label: &str, addon: Option<&str>, state: Option<RowState>| {
            let labels = LabelSelector::parse(label).unwrap();
            let filter = Filter { labels, addon: addon.map(|name| name.parse().unwrap()), state };
            empty(&fleet().list(&filter), &filter).unwrap_or_default()
        };
        assert_eq!(message("", None, None), "");
        insta::assert_snapshot!([
            message("region=mars", None, None),
            message("region=us", None, None),
            message("region=eu", Some("other"), None),
            message("", Some("hello"), Some(RowState::Failed)),
            empty(&Snapshot::default().list(&Filter::default()), &Filter::default()).unwrap(),
        ].join("\n"), @r"
        --label matches no cluster; the fleet has 3 clusters
        no add-on is on the 1 cluster with these labels
        --addon other is not on the 1 cluster with these labels
        --state Failed matches no row; without it, 1 row would be left
        the fleet has no clusters
        ");
    }

    #[test]
    fn an_unknown_addon_is_answered_with_the_nearest_name() {
        let fleet = fleet();
        let words = |name: &str| unknown(name, &fleet.addon_names());
        assert_eq!(words("helo"), "--addon helo: the fleet has no add-on of that name; did you mean \"hello\"?");
        assert_eq!(words("zzzzzzzz"), "--addon zzzzzzzz: the fleet has no add-on of that name; it has hello, other");
    }
}
