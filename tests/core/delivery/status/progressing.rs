//! Checks whether a cluster is done.

use serde_json::{Value, json};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::hook_of;
use tidegate_delivery::status::{Progress, configured, hosting, progress, works};

use super::fixture::{at, cluster_addon, condition, entries, read, references, shown};

fn work(name: &str, members: Value) -> ManifestWork {
    let mut work = json!({
        "metadata": { "name": name, "namespace": "east", "generation": 2, "labels": { "open-cluster-management.io/addon-name": "hello" } },
        "spec": {},
        "status": { "conditions": [
            { "type": "Available", "status": "True", "observedGeneration": 2, "reason": "R", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z" },
            { "type": "Applied", "status": "True", "observedGeneration": 2, "reason": "R", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z" },
        ] },
    });
    json_patch::merge(&mut work, &members);
    read(work)
}

fn carrying(annotation: &str) -> ManifestWork {
    work("w", json!({ "metadata": { "annotations": { "open-cluster-management.io/config-spec-hash": annotation } } }))
}

#[test]
fn a_work_matches_if_it_carries_exactly_the_desired_configurations() {
    let table = [
        (None, "", true),
        (None, "a/x=1", false),
        (Some("{}"), "", true),
        (Some("null"), "", true),
        (Some("null"), "a/x=1", false),
        (Some(r#"{"things.a//x":"1"}"#), "a/x=1", true),
        (Some(r#"{"things//x":"1"}"#), "/x=1", true),
        (Some(r#"{"things.a//x":"2"}"#), "a/x=1", false),
        (Some(r#"{"things.a//x":"1"}"#), "a/x=1 b/y=2", false),
        (Some(r#"{"things.a//x":"1","things.b//y":"2"}"#), "a/x=1", false),
        (Some(r#"{"things.a//x":""}"#), "a/x=", false),
        (Some(r#"{"things.a//x":null}"#), "a/x=", false),
        (Some(r#"{"things.a//x":"1"}"#), "a/x=1 a/?", false),
        (Some(r#"{"things.a//x":1}"#), "a/x=1", false),
        (Some("no JSON"), "", false),
    ];
    for (annotation, desired, expected) in table {
        let work = annotation.map_or_else(|| work("w", json!({})), carrying);
        assert_eq!(works::matches(&work, &entries(desired)), expected, "{annotation:?} for {desired:?}");
    }
}

#[test]
fn the_annotation_of_a_work_names_each_configuration_with_its_hash() {
    let mut references = entries("g/t=h1 g/c=h2 /s=h3 g/?");
    references[1].desired_config.as_mut().unwrap().namespace = "n".to_owned();
    let expected = r#"{"things.g//t":"h1","things.g/n/c":"h2","things//s":"h3"}"#;
    assert_eq!(works::annotation(&references).as_deref(), Some(expected));
    assert_eq!(works::annotation(&references[3..]).as_deref(), Some("{}"));
    assert_eq!(works::annotation(&[]), None);
    assert!(works::matches(&carrying(expected), &references[..3]));
}

#[test]
fn a_work_is_ready_if_both_conditions_hold_at_its_generation() {
    assert!(works::is_ready(&work("w", json!({}))));
    assert!(!works::is_ready(&work("w", json!({ "metadata": { "generation": 3 } }))));
    assert!(!works::is_ready(&work("w", json!({ "status": null }))));
    for index in [0, 1] {
        let mut lacking = work("w", json!({}));
        lacking.status.as_mut().unwrap().conditions[index].status = "False".to_owned();
        assert!(!works::is_ready(&lacking));
        lacking.status.as_mut().unwrap().conditions.remove(index);
        assert!(!works::is_ready(&lacking));
    }
    let mut unversioned = work("w", json!({ "metadata": { "generation": null } }));
    assert!(!works::is_ready(&unversioned));
    unversioned.status.as_mut().unwrap().conditions.iter_mut().for_each(|c| c.observed_generation = None);
    assert!(works::is_ready(&unversioned), "a missing generation counts as 0");
}

#[test]
fn the_progress_of_all_works_is_that_of_the_slowest() {
    let ready = work("addon-hello-deploy-0", json!({}));
    let slow = work("addon-hello-deploy-1", json!({ "metadata": { "generation": 3 } }));
    let hook = work("addon-hello-pre-delete", json!({ "status": null }));
    let wrong = carrying("{\"a\":\"b\"}");
    let delivered = |works: &[&ManifestWork]| works::delivered(&hook_of("hello"), &[], works.iter().copied());
    assert_eq!(delivered(&[]), Progress::NoWorks);
    assert_eq!(delivered(&[&hook]), Progress::Completed);
    assert_eq!(delivered(&[&hook, &ready]), Progress::Completed);
    assert_eq!(delivered(&[&ready, &slow]), Progress::NotReady);
    assert_eq!(delivered(&[&slow, &wrong]), Progress::OtherConfigs);
}

#[test]
fn works_elsewhere_count_only_for_a_hosted_addon() {
    let mut addon: ManagedClusterAddOn = cluster_addon(&[], &[]);
    let hosted = |place: &str, home: &str| {
        work(
            "w",
            json!({ "metadata": { "namespace": place, "labels": { "open-cluster-management.io/addon-namespace": home } } }),
        )
    };
    let cases = |addon: &ManagedClusterAddOn| {
        [
            work("w", json!({})),
            hosted("host", "east"),
            hosted("host", "west"),
            hosted("other", "east"),
            hosted("east", "east"),
        ]
        .map(|work| hosting::is_counted(addon, &work))
    };
    assert_eq!(cases(&addon), [true, false, false, false, false]);
    addon.metadata.annotations =
        Some([(String::from("addon.open-cluster-management.io/hosting-cluster-name"), String::from("host"))].into());
    assert_eq!(cases(&addon), [true, true, false, false, false]);
    let other = work("w", json!({ "metadata": { "labels": { "open-cluster-management.io/addon-name": "other" } } }));
    assert!(!hosting::is_counted(&addon, &other));
}

#[test]
fn the_first_obstacle_is_reported() {
    let applied = || condition("ManifestApplied", "False", "R", 0);
    let mut addon: ManagedClusterAddOn = cluster_addon(&[], &[]);
    let told = |addon: &ManagedClusterAddOn, delivered| {
        let status = addon.status.clone().unwrap();
        let (compat, strict) = (
            progress::compat(addon, &status, Progress::clone(&delivered)),
            progress::strict(addon, &status, delivered, None),
        );
        [compat.claim(), strict.claim()].map(|claim| format!("{} {}: {}", claim.status, claim.reason, claim.message))
    };
    let both = |text: &str| [text.to_owned(), text.to_owned()];

    addon.spec.configs = references("a/x");
    let unsupported = "False ConfigurationUnsupported: Configuration with gvr a/things is not supported for this addon";
    assert_eq!(told(&addon, Progress::Completed), both(unsupported));
    addon.spec.configs.clear();
    let waiting = "False WaitingForManifestApplied: Waiting for ManagedClusterAddOn ManifestApplied condition";
    assert_eq!(told(&addon, Progress::Completed), both(waiting));
    addon.status.as_mut().unwrap().conditions.push(applied());
    assert_eq!(told(&addon, Progress::NoWorks), both("True Progressing: progressing... no addon works"));
    assert_eq!(
        told(&addon, Progress::OtherConfigs),
        both("True Progressing: progressing... mca and work configs mismatch")
    );
    assert_eq!(told(&addon, Progress::NotReady), both("True Progressing: progressing... work is not ready"));
    assert_eq!(told(&addon, Progress::Completed), both("False Completed: completed with no errors."));
}

#[test]
fn only_upstream_completes_an_unavailable_addon_and_waits_for_a_hosting_cluster() {
    let mut addon: ManagedClusterAddOn = cluster_addon(&[], &[condition("ManifestApplied", "True", "R", 0)]);
    let status = addon.status.clone().unwrap();
    let strict = |addon: &ManagedClusterAddOn, delivered| {
        progress::strict(addon, &status, delivered, Some("m".to_owned())).claim().message
    };
    assert_eq!(progress::compat(&addon, &status, Progress::Completed), Progress::Completed);
    assert_eq!(strict(&addon, Progress::Completed), "progressing... add-on is not available: m");
    assert_eq!(strict(&addon, Progress::NotReady), "progressing... work is not ready");

    addon.metadata.annotations =
        Some([(String::from("addon.open-cluster-management.io/hosting-cluster-name"), String::from("host"))].into());
    let waiting = progress::compat(&addon, &status, Progress::Completed).claim();
    assert_eq!(waiting.reason, "WaitingForHostingManifestApplied");
    assert_eq!(waiting.message, "Waiting for ManagedClusterAddOn HostingManifestApplied condition");
    assert_eq!(strict(&addon, Progress::Completed), "progressing... add-on is not available: m");
}

#[test]
fn what_was_applied_once_done_is_never_forgotten() {
    let addon: ManagedClusterAddOn =
        cluster_addon(&entries("a/x=2<1 b/y=3"), &[condition("ManifestApplied", "True", "R", 0)]);
    let mut status = addon.status.clone().unwrap();
    let claim = |delivered| progress::compat(&addon, addon.status.as_ref().unwrap(), delivered).claim();
    assert!(!progress::update(&mut status, claim(Progress::NotReady), at(1)));
    assert_eq!(shown(&status.config_references), "a/x=2<1 b/y=3");
    assert!(progress::update(&mut status, claim(Progress::Completed), at(2)));
    assert_eq!(shown(&status.config_references), "a/x=2<2 b/y=3<3");
    assert!(!progress::update(&mut status, claim(Progress::OtherConfigs), at(3)));
    assert_eq!(shown(&status.config_references), "a/x=2<2 b/y=3<3");
}

#[test]
fn configured_conditions_have_upstreams_wording() {
    let told = |claim: tidegate_api::condition::Claim| {
        format!("{} {} {}: {}", claim.type_, claim.status, claim.reason, claim.message)
    };
    assert_eq!(told(configured::assigned()), "Configured True ConfigurationsConfigured: Configurations configured");
    assert_eq!(
        told(configured::waiting()),
        "Configured False ConfigurationsNotConfigured: Configurations updated and not configured yet"
    );
}
