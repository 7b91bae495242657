//! The summary of a placement's clusters, and the entries of placements in the status of an add-on.

use serde_json::{Value, json};
use tidegate_api::ocm::cluster_management_addon::{
    ClusterManagementAddOn, DefaultConfigReference, InstallConfigReference, InstallProgression,
};
use tidegate_delivery::status::{Tally, default_config, install, progression};
use tidegate_model::name::NamespacedName;

use super::fixture::{at, condition, desired, read, references};

#[test]
fn the_numbers_become_a_condition_with_upstreams_wording() {
    let tally = |selected, configured, progressing, done, failed, timed_out| Tally {
        selected,
        configured,
        progressing,
        done,
        failed,
        timed_out,
    };
    let table = [
        (
            tally(0, 0, 0, 0, 0, 0),
            "True Progressing: selected clusters 0. configured addons 0/0 progressing..., 0 failed 0 timeout.",
        ),
        (
            tally(3, 3, 1, 1, 0, 1),
            "True Progressing: selected clusters 3. configured addons 2/3 progressing..., 0 failed 1 timeout.",
        ),
        (
            tally(3, 2, 0, 2, 0, 0),
            "False Completed: selected clusters 3. configured addons 2/2 completed with no errors, 0 failed 0 timeout.",
        ),
        (
            tally(2, 0, 0, 0, 0, 0),
            "True Progressing: selected clusters 2. configured addons 0/0 progressing..., 0 failed 0 timeout.",
        ),
        (
            tally(2, 1, 0, 2, 0, 0),
            "True Progressing: selected clusters 2. configured addons 2/1 progressing..., 0 failed 0 timeout.",
        ),
    ];
    for (tally, expected) in table {
        let claim = tally.claim();
        assert_eq!(format!("{} {}: {}", claim.status, claim.reason, claim.message), expected);
        assert_eq!(tally.is_complete(), claim.status == "False");
    }
}

fn placement() -> NamespacedName {
    NamespacedName::new("n", "p")
}

/// Returns an old entry whose clusters completed `a/x=1` and `b/y=2`.
fn completed() -> InstallProgression {
    let mut old = progression::strict(&[], &placement(), &desired("a/x=1 b/y=2"));
    progression::update(&mut old, &Tally { selected: 1, configured: 1, done: 1, ..Tally::default() }, at(9));
    old
}

/// Formats the entries as `kind/name=desired<applied`.
fn shown(progression: &InstallProgression) -> String {
    let one = |r: &InstallConfigReference| {
        assert_eq!(r.last_applied_config, r.last_known_good_config);
        let desired = r.desired_config.as_ref().unwrap();
        let applied = r.last_applied_config.as_ref().map_or(String::new(), |c| format!("<{}={}", c.name, c.spec_hash));
        format!("{}/{}={}{applied}", r.group, desired.name, desired.spec_hash)
    };
    progression.config_references.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_complete_tally_marks_the_desired_configurations_as_applied() {
    let old = completed();
    assert_eq!(shown(&old), "a/x=1<x=1 b/y=2<y=2");
    let mut next = progression::strict(std::slice::from_ref(&old), &placement(), &desired("a/x=5 b/y=2"));
    progression::update(&mut next, &Tally { selected: 1, configured: 1, progressing: 1, ..Tally::default() }, at(10));
    assert_eq!(shown(&next), "a/x=5<x=1 b/y=2<y=2");
    assert_eq!((next.conditions.len(), next.conditions[0].last_transition_time.0), (1, at(10)));
}

#[test]
fn an_upgrade_to_another_name_keeps_its_history_only_in_strict() {
    let before = [completed()];
    let wanted = desired("a/z=3 b/y=2");
    let strict = progression::strict(&before, &placement(), &wanted);
    assert_eq!(shown(&strict), "a/z=3<x=1 b/y=2<y=2");
    assert_eq!(strict.conditions, before[0].conditions);
    let compat = progression::compat(&before, &placement(), &desired("a/z b/y")).unwrap();
    assert_eq!(shown(&compat), "a/z= b/y=");
    assert!(compat.conditions.is_empty());
}

#[test]
fn upstream_keeps_everything_while_no_name_changes() {
    let before = [completed()];
    let same = progression::compat(&before, &placement(), &desired("b/y a/x")).unwrap();
    assert_eq!(shown(&same), "b/y=2<y=2 a/x=1<x=1");
    assert_eq!(same.conditions, before[0].conditions);
    let fewer = progression::compat(&before, &placement(), &desired("b/y")).unwrap();
    assert_eq!(shown(&fewer), "b/y=2<y=2");
    let elsewhere = progression::compat(&before, &NamespacedName::new("n", "q"), &desired("b/y")).unwrap();
    assert_eq!(shown(&elsewhere), "b/y=");
}

#[test]
fn an_old_entry_without_desired_config_stops_only_upstream() {
    let mut old = completed();
    old.config_references[0].desired_config = None;
    let before = [old];
    progression::compat(&before, &placement(), &desired("a/x")).unwrap_err();
    assert_eq!(shown(&progression::compat(&before, &placement(), &desired("b/y")).unwrap()), "b/y=2<y=2");
    assert_eq!(shown(&progression::strict(&before, &placement(), &desired("a/x=7"))), "a/x=7<x=1");
}

#[test]
fn defaults_keep_their_order_and_repetitions_only_upstream() {
    let declared = references("b/y a/x c/__reserved_no_default__ b/y");
    let before = default_config::strict(&desired("a/x=1"));
    let compat = default_config::compat(&declared, &before).unwrap();
    let told = |list: &[DefaultConfigReference]| {
        let one = |r: &DefaultConfigReference| {
            let config = r.desired_config.as_ref().unwrap();
            format!("{}/{}={}", r.group, config.name, config.spec_hash)
        };
        list.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(told(&compat), "b/y= a/x=1 b/y=");
    assert_eq!(told(&default_config::strict(&desired("a/x=1 b/y=2"))), "a/x=1 b/y=2");
}

fn addon(spec: Value, lifecycle: Option<&str>) -> ClusterManagementAddOn {
    let annotations: Value =
        lifecycle.map_or(json!({}), |value| json!({ "addon.open-cluster-management.io/lifecycle": value }));
    read(json!({
        "metadata": { "name": "hello", "annotations": annotations },
        "spec": spec,
        "status": { "installProgressions": [
            { "namespace": "n", "name": "p", "configReferences": [], "conditions": [condition("Progressing", "True", "R", 1)] },
        ] },
    }))
}

fn placed() -> Value {
    json!({
        "defaultConfigs": references("b/y a/x"),
        "installStrategy": { "type": "Placements", "placements": [
            { "namespace": "n", "name": "p", "configs": references("a/z") }, { "namespace": "n", "name": "q" },
        ] },
    })
}

#[test]
fn each_placement_gets_an_entry() {
    for lifecycle in [None, Some("addon-manager")] {
        let status = install::compat(&addon(placed(), lifecycle)).unwrap();
        assert_eq!(status.default_config_references.len(), 2);
        assert_eq!(status.install_progressions.iter().map(shown).collect::<Vec<_>>(), ["a/z= b/y=", "a/x= b/y="]);
    }
}

#[test]
fn entries_of_placements_stay_under_another_driver_and_go_when_an_addon_becomes_manual() {
    for lifecycle in ["self", ""] {
        let observed = addon(placed(), Some(lifecycle));
        assert!(!install::is_managed(&observed));
        let status = install::compat(&observed).unwrap();
        assert_eq!(status.default_config_references.len(), 2);
        assert_eq!(status.install_progressions, observed.status.unwrap().install_progressions);
    }
    for spec in [json!({}), json!({ "installStrategy": {} }), json!({ "installStrategy": { "type": "Manual" } })] {
        for lifecycle in [None, Some("self")] {
            let observed = addon(spec.clone(), lifecycle);
            assert!(install::is_manual(&observed));
            assert_eq!(install::compat(&observed).unwrap().install_progressions, []);
        }
    }
}
