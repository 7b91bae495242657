//! What each check makes of its facts.

use std::collections::BTreeSet;

use tidegate::doctor::facts::{
    Addon, Certificate, Cluster, Foreign, Gate, Journal, Keys, KubeVela, Lease, REQUIRED, Writer,
};
use tidegate::doctor::{Facts, Level, Need, PERMISSIONS, Unknown, examine};
use tidegate_delivery::upstream::DeliveryMode;

use super::{at, found, lease, shown, trouble, unknown, well};

#[test]
fn a_healthy_hub_has_one_line_for_each_check_and_nothing_to_fix() {
    let lines = examine(&well());
    assert!(lines.iter().all(|line| line.level == Level::Ok && line.fix.is_none()), "{lines:#?}");
    insta::assert_snapshot!(shown(lines));
}

#[test]
fn what_is_not_known_is_a_warning_with_its_reason_and_hides_nothing_else() {
    let facts = Facts {
        hub: Err(trouble("https://hub:6443 does not answer", "check the network")),
        skew: unknown(),
        definitions: unknown(),
        leases: Err(Unknown::Forbidden { verb: "list", resource: "leases.coordination.k8s.io".to_owned() }),
        gates: Err(Unknown::NotListed { why: "clustermanagers: no answer within 10 s".to_owned() }),
        addons: unknown(),
        placements: unknown(),
        reviews: Err(Unknown::NotServed { resource: "selfsubjectaccessreviews.authorization.k8s.io".to_owned() }),
        grants: unknown(),
        foreign: unknown(),
        writers: unknown(),
        kubevela: unknown(),
        clusters: unknown(),
        certificates: Ok(vec![Certificate {
            of: "the client certificate".to_owned(),
            ends: Err(Unknown::Unreadable { why: "it is not base64".to_owned() }),
        }]),
        trusted_keys: Err(Unknown::NoConfiguration),
        ..well()
    };
    let lines = examine(&facts);
    assert_eq!(lines.len(), examine(&well()).len());
    assert!(lines.iter().all(|line| line.level == Level::Ok || line.fix.is_some()), "{lines:#?}");
    insta::assert_snapshot!(shown(lines));
}

/// Returns one line for each way in which a check can be other than well.
fn troubles() -> Vec<(&'static str, Facts)> {
    let missing = || {
        let mut facts = well();
        let all = facts.definitions.as_mut().unwrap();
        all.retain(|definition| !definition.name.starts_with("manifestworks"));
        all.iter_mut().filter(|found| found.name.starts_with("placements.")).for_each(|found| found.versions.clear());
        facts
    };
    let unconverted = || {
        let mut facts = well();
        facts.definitions.as_mut().unwrap().iter_mut().for_each(|definition| definition.has_webhook = false);
        facts
    };
    let denied = |need: Need| {
        let mut facts = well();
        let all = facts.reviews.as_mut().unwrap();
        all.iter_mut().filter(|review| review.permission.need == need).for_each(|review| review.is_allowed = false);
        facts
    };
    let ending = |ends: &str| Facts {
        certificates: Ok(vec![Certificate { of: "the client certificate".to_owned(), ends: Ok(at(ends)) }]),
        ..well()
    };
    let delivered = Addon { name: "hello".to_owned(), is_ours: true, has_template: true, is_upstream: true };
    let manager = lease("cluster-manager-addon-manager-controller-5f_2", "2026-11-22T11:58:00Z");
    let silent = |n: usize| Cluster { name: format!("silent{n}"), is_accepted: true, is_available: false };
    let new = Cluster { name: "new".to_owned(), is_accepted: false, is_available: false };
    let waiting = || {
        let mut facts = Facts { leases: Ok(Vec::new()), ..well() };
        facts.placements.as_mut().unwrap()[0].is_scheduled = false;
        facts
    };
    let foreign = Foreign {
        object: "placements fleet/all".to_owned(),
        managers: BTreeSet::from(["kubectl-edit".to_owned(), "helm".to_owned()]),
    };
    let journal = Journal {
        branch: "tidegate/journal".to_owned(),
        exists: true,
        push: Err(trouble("https://git/fleet.git does not accept the credentials", "check the token")),
    };
    let mut nothing = well();
    nothing.source.as_mut().unwrap().commit = None;
    vec![
        (
            "configuration",
            Facts { configuration: Err(trouble("tidegate.toml:3:1: unknown field", "correct it")), ..well() },
        ),
        ("clock", Facts { skew: Ok(7), ..well() }),
        ("clock", Facts { skew: Ok(-600), ..well() }),
        ("certificates", ending("2026-11-30T00:00:00Z")),
        ("certificates", ending("2026-11-22T00:00:00Z")),
        ("certificates", Facts { certificates: Ok(Vec::new()), ..well() }),
        ("kinds", missing()),
        ("conversion", unconverted()),
        ("permissions", denied(Need::Always)),
        ("permissions", denied(Need::Declared)),
        ("permissions", denied(Need::Events)),
        ("add-on manager", Facts { leases: Ok(vec![manager.clone()]), ..well() }),
        ("add-on manager", Facts { leases: Ok(vec![manager.clone()]), delivery: DeliveryMode::Native, ..well() }),
        ("add-on manager", Facts { delivery: DeliveryMode::Upstream, ..well() }),
        ("add-on manager", Facts { leases: Ok(vec![manager.clone()]), addons: Ok(Vec::new()), ..well() }),
        ("add-on manager", Facts { leases: Ok(vec![manager]), addons: Ok(vec![delivered]), ..well() }),
        ("placement controller", waiting()),
        ("placement controller", Facts { leases: Ok(Vec::new()), ..well() }),
        ("placement controller", Facts { builtin_placement: true, ..well() }),
        ("foreign writers", Facts { foreign: Ok(vec![foreign]), ..well() }),
        ("KubeVela", Facts { kubevela: Ok(KubeVela { applications: Some(2), shared: Vec::new() }), ..well() }),
        (
            "KubeVela",
            Facts { kubevela: Ok(KubeVela { applications: Some(2), shared: vec!["shop/web".to_owned()] }), ..well() },
        ),
        ("agents", Facts { clusters: Ok((1..=7).map(silent).chain([new]).collect()), ..well() }),
        ("agents", Facts { clusters: Ok(Vec::new()), ..well() }),
        ("source", nothing),
        ("source", Facts { source: Err(trouble("no config repository is named", "give --source")), ..well() }),
        ("journal", Facts { journal: Ok(journal), ..well() }),
        (
            "signing key",
            Facts { signing_key: Ok(Keys::Unusable(trouble("others may read it", "chmod 600"))), ..well() },
        ),
    ]
}

#[test]
fn each_problem_has_its_level_and_one_line_that_says_how_to_fix_it() {
    let lines: Vec<_> = troubles().iter().map(|(check, facts)| found(facts, check)).collect();
    assert!(lines.iter().all(|line| (line.level == Level::Ok) == line.fix.is_none()), "{lines:#?}");
    insta::assert_snapshot!(shown(lines));
}

#[test]
fn a_disabled_gate_means_that_the_add_on_manager_does_not_run() {
    let lease = lease("cluster-manager-addon-manager-controller-5f_2", "2026-11-22T11:58:00Z");
    let gate = |is_enabled| Ok(Some(vec![Gate { feature: "AddonManagement".to_owned(), is_enabled }]));
    let with = |is_enabled| Facts { gates: gate(is_enabled), leases: Ok(vec![lease.clone()]), ..well() };
    assert_eq!(found(&with(false), "add-on manager").level, Level::Ok);
    let native = Facts { delivery: DeliveryMode::Native, ..with(true) };
    assert_eq!(found(&native, "add-on manager").level, Level::Fail);
    assert_eq!(found(&with(true), "feature gates").detail, "AddonManagement is enabled");
}

#[test]
fn a_lease_that_is_no_longer_renewed_is_that_of_a_component_that_has_ended() {
    let old = lease("cluster-manager-addon-manager-controller-5f_2", "2026-11-22T11:54:00Z");
    let never = Lease { renewed: None, ..old.clone() };
    for gone in [old, never] {
        assert_eq!(found(&Facts { leases: Ok(vec![gone]), ..well() }, "add-on manager").level, Level::Ok);
    }
}

#[test]
fn an_add_on_manager_without_leader_election_is_recognized_by_its_writes() {
    let wrote = |name: &str, last: &str| Facts {
        writers: Ok(vec![Writer { name: name.to_owned(), last: at(last) }]),
        delivery: DeliveryMode::Native,
        ..well()
    };
    let level = |name, last| found(&wrote(name, last), "add-on manager").level;
    assert_eq!(level("addon", "2026-11-22T11:58:00Z"), Level::Fail);
    assert_eq!(level("addon", "2026-11-22T11:50:00Z"), Level::Ok);
    assert_eq!(level("registration", "2026-11-22T11:58:00Z"), Level::Ok);
}

#[test]
fn permissions_that_a_daemon_with_these_settings_does_not_need_are_not_missed() {
    let mut facts = Facts { events: false, ..well() };
    let is_optional = |need: Need| matches!(need, Need::BuiltinPlacement | Need::Events);
    for review in facts.reviews.as_mut().unwrap().iter_mut().filter(|review| is_optional(review.permission.need)) {
        review.is_allowed = false;
    }
    assert_eq!(found(&facts, "permissions").level, Level::Ok);
    let builtin = Facts { builtin_placement: true, ..facts };
    assert_eq!(found(&builtin, "permissions").level, Level::Fail);
}

#[test]
fn the_documentation_lists_every_check_in_its_order() {
    let page = std::fs::read_to_string("docs/hub.md").unwrap();
    let table = page.split("<!-- checks: begin -->").nth(1).unwrap().split("<!-- checks: end -->").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(2);
    let documented: Vec<&str> = rows.map(|row| row.split('|').nth(1).unwrap().trim()).collect();
    assert_eq!(documented, examine(&well()).iter().map(|line| line.check).collect::<Vec<_>>());
}

#[test]
fn every_kind_that_must_be_served_may_be_watched() {
    let watched: BTreeSet<String> = PERMISSIONS
        .iter()
        .filter(|permission| {
            permission.group.ends_with("open-cluster-management.io") && permission.verbs.contains(&"watch")
        })
        .flat_map(|permission| permission.resources.iter().map(|plural| format!("{plural}.{}", permission.group)))
        .collect();
    assert_eq!(REQUIRED.iter().map(|required| required.name()).collect::<BTreeSet<_>>(), watched);
}
