//! The configurations assigned to a cluster that starts.

use proptest::prelude::*;
use tidegate_api::ocm::managed_cluster_addon::AddOnConfigReference;
use tidegate_delivery::status::{Desired, Entry as _, Layers, merge};

use super::fixture::{desired, entries, one, shown};

#[test]
fn kept_entries_keep_their_history_and_new_entries_start_without_one() {
    let table = [
        ("a first start", "", "a/x=1 b/y=2", "a/x=1 b/y=2"),
        ("another hash of the same object", "a/x=1<1", "a/x=2", "a/x=2<1"),
        ("another object", "a/x=1<1", "a/y=2", "a/y=2"),
        ("an object of another kind has no history", "a/x=1<1", "b/x=2", "b/x=2"),
        ("kinds are sorted", "b/y=1<1", "a/x=2 b/y=1", "a/x=2 b/y=1<1"),
        (
            "kept entries come first, in their old order",
            "a/z=1<1 a/x=2<2",
            "a/x=2 a/y=3 a/z=4",
            "a/z=4<1 a/x=2<2 a/y=3",
        ),
        ("nothing is wanted", "a/x=1<1", "", ""),
    ];
    for (what, observed, wanted, expected) in table {
        let (observed, wanted) = (entries(observed), desired(wanted));
        assert_eq!(shown(&merge::strict(&observed, &wanted)), expected, "{what}");
        assert_eq!(shown(&merge::compat(&observed, &wanted).unwrap()), expected, "{what}");
    }
}

#[test]
fn kept_entries_keep_their_generation() {
    let mut observed = entries("a/x=1<1");
    observed[0].last_observed_generation = Some(7);
    let merged = merge::strict(&observed, &desired("a/x=2 a/y=3"));
    assert_eq!(merged.iter().map(|r| r.last_observed_generation).collect::<Vec<_>>(), [Some(7), None]);
}

#[test]
fn only_upstream_keeps_an_entry_that_is_listed_twice() {
    let (observed, wanted) = (entries("a/x=1<1 a/x=1<0"), desired("a/x=2"));
    assert_eq!(shown(&merge::compat(&observed, &wanted).unwrap()), "a/x=2<1 a/x=1<0");
    assert_eq!(shown(&merge::strict(&observed, &wanted)), "a/x=2<1");
}

#[test]
fn an_entry_without_desired_config_is_dropped_where_upstream_crashes() {
    let (observed, wanted) = (entries("b/y=1<1 a/?<1"), desired("a/x=2 b/y=1"));
    let error = merge::compat(&observed, &wanted).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"a status has an entry for "things" of group "a" without desiredConfig: remove the entry"#
    );
    assert_eq!(shown(&merge::strict(&observed, &wanted)), "a/x=2 b/y=1<1");
}

fn any_desired() -> impl Strategy<Value = Vec<Desired>> {
    let any = (0..3_u8, 0..4_u8, 0..3_u8).prop_map(|(kind, name, hash)| one(&format!("k{kind}/n{name}=h{hash}")));
    prop::collection::vec(any, 0..8).prop_map(|all| Layers::default().overlaid(all).to_vec())
}

/// Generates any entries, including ones that no sane client would write.
fn any_observed() -> impl Strategy<Value = Vec<AddOnConfigReference>> {
    let applied = prop::option::of(0..3_u8).prop_map(|hash| hash.map_or(String::new(), |hash| format!("<h{hash}")));
    let object = prop_oneof![
        8 => (0..4_u8, 0..3_u8).prop_map(|(name, hash)| format!("n{name}=h{hash}")),
        1 => Just("?".to_owned()),
    ];
    let any = (0..3_u8, object, applied, prop::option::of(0..9_i64)).prop_map(|(kind, object, applied, generation)| {
        let mut entry = entries(&format!("k{kind}/{object}{applied}")).remove(0);
        entry.last_observed_generation = generation;
        entry
    });
    prop::collection::vec(any, 0..8)
}

fn position_of(entries: &[AddOnConfigReference], wanted: &AddOnConfigReference) -> Option<usize> {
    let reference = wanted.desired()?.reference;
    entries.iter().position(|entry| entry.names(&reference))
}

proptest! {
    #[test]
    fn exactly_the_desired_configurations_are_assigned_once_each(observed in any_observed(), wanted in any_desired()) {
        let merged = merge::strict(&observed, &wanted);
        let mut told: Vec<Desired> = merged.iter().filter_map(|entry| entry.desired()).collect();
        told.sort();
        let mut expected = wanted.clone();
        expected.sort();
        prop_assert_eq!(told, expected);
    }

    #[test]
    fn merging_again_changes_nothing(observed in any_observed(), wanted in any_desired()) {
        let merged = merge::strict(&observed, &wanted);
        prop_assert_eq!(merge::strict(&merged, &wanted), merged);
    }

    #[test]
    fn any_kept_entry_keeps_its_history(observed in any_observed(), wanted in any_desired()) {
        for entry in merge::strict(&observed, &wanted) {
            match position_of(&observed, &entry) {
                Some(old) => {
                    prop_assert_eq!(&entry.last_applied_config, &observed[old].last_applied_config);
                    prop_assert_eq!(entry.last_observed_generation, observed[old].last_observed_generation);
                }
                None => {
                    prop_assert_eq!(entry.last_applied_config, None);
                    prop_assert_eq!(entry.last_observed_generation, None);
                }
            }
        }
    }

    #[test]
    fn kinds_are_sorted_and_kept_entries_come_first_within_a_kind(observed in any_observed(), wanted in any_desired()) {
        let merged = merge::strict(&observed, &wanted);
        let key = |entry: &AddOnConfigReference| {
            let place = position_of(&observed, entry).unwrap_or(usize::MAX);
            (entry.group.clone(), entry.resource.clone(), place)
        };
        prop_assert!(merged.is_sorted_by_key(key));
    }

    #[test]
    fn both_forms_agree_on_entries_that_upstream_writes(observed in any_observed(), before in any_desired(), wanted in any_desired()) {
        let written = merge::strict(&observed, &before);
        prop_assert_eq!(merge::compat(&written, &wanted).unwrap(), merge::strict(&written, &wanted));
    }
}
