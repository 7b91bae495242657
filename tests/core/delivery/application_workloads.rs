//! StatefulSets, CloneSets and Jobs of applications: what is asked about them, and what counts as evidence. Those of add-ons are not judged.

use serde_json::{Value, json};
use tidegate_api::ocm::manifest_work::ResourceIdentifier;
use tidegate_delivery::{Evidence, Template, WorkOwner, cause, doubt, failure, health};

use super::builders::{Setting, cluster, cluster1, hello, rendered, template};
use super::health::{condition, work};

fn workload(api_version: &str, kind: &str, spec: Value) -> Value {
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": "w", "namespace": "n" }, "spec": spec })
}

fn workloads() -> Value {
    json!([
        workload("apps/v1", "StatefulSet", json!({ "replicas": 2 })),
        workload("apps.kruise.io/v1alpha1", "CloneSet", json!({ "replicas": 2 })),
        workload("batch/v1", "Job", json!({})),
    ])
}

#[test]
fn only_those_of_applications_are_judged() {
    let plain = |objects: Value| Template::plain(&template(objects, Value::Null)).unwrap().render(&cluster1()).unwrap();
    let of_application = plain(workloads());
    let named = |probes: &[ResourceIdentifier]| -> Vec<String> {
        probes.iter().map(|probe| format!("{}/{}", probe.group, probe.resource)).collect()
    };
    assert_eq!(named(&of_application.probes), ["apps/statefulsets", "apps.kruise.io/clonesets", "batch/jobs"]);
    let of_addon = rendered(workloads(), json!({})).unwrap();
    assert!(of_addon.probes.is_empty() && of_addon.workloads.is_empty());
    let configs =
        |setting: Setting, rendered| setting.works(rendered).apply[0].frame["spec"]["manifestConfigs"].clone();
    assert_eq!(configs(Setting::default(), &of_addon), Value::Null);
    let asked = serde_json::to_string_pretty(&configs(Setting::default(), &of_application)).unwrap();
    insta::assert_snapshot!("what_is_asked_about_workloads_of_applications", asked);
    let idle = json!([
        workload("apps/v1", "StatefulSet", json!({ "replicas": 0 })),
        workload("batch/v1", "Job", json!({ "suspend": true })),
        workload("batch/v1", "CronJob", json!({})),
    ]);
    assert!(plain(idle).probes.is_empty());
}

/// Judges a workload by what a cluster reports: whether it is available, what is in doubt, what has failed, and the cause.
fn judged(group: &str, resource: &str, values: &[(&str, Value)]) -> String {
    let value = |(name, value): &(&str, Value)| {
        let of_type = if value.is_string() { "string" } else { "integer" };
        json!({ "name": name, "fieldValue": { "type": of_type, of_type: value } })
    };
    let kind = match resource {
        "jobs" => "Job",
        "clonesets" => "CloneSet",
        _ => "StatefulSet",
    };
    let report = json!({
        "resourceMeta": { "ordinal": 0, "group": group, "kind": kind, "resource": resource, "name": "w", "namespace": "n" },
        "statusFeedback": { "values": values.iter().map(value).collect::<Vec<_>>() },
        "conditions": [],
    });
    let conditions = json!([condition("Applied", "True"), condition("Available", "True")]);
    let works = [work("addon-hello-deploy-0", conditions, json!([report]))].into();
    let probe =
        ResourceIdentifier { group: group.into(), resource: resource.into(), name: "w".into(), namespace: "n".into() };
    let (owner, cluster) = (WorkOwner::addon(&hello()), cluster(json!({ "name": "cluster1" }), json!({})));
    let evidence = Evidence {
        owner: &owner,
        cluster: &cluster,
        works: &works,
        probes: &[probe],
        conditioned: &[],
        has_manifest_applied: true,
    };
    let or = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    format!(
        "available: {}\ndoubt: {}\nfailure: {}\ncause: {}\n",
        health(&evidence).unwrap().status,
        or(doubt(&evidence)),
        or(failure(&evidence)),
        or(cause(&owner, &cluster, &works).map(|cause| cause.to_string())),
    )
}

/// A StatefulSet of two replicas whose update is complete.
fn settled() -> Vec<(&'static str, Value)> {
    vec![
        ("TidegateGeneration", json!(2)),
        ("TidegateObservedGeneration", json!(2)),
        ("TidegateDesiredReplicas", json!(2)),
        ("TidegateReplicas", json!(2)),
        ("TidegateReadyReplicas", json!(2)),
        ("TidegateUpdatedReplicas", json!(2)),
        ("TidegateCurrentRevision", json!("b")),
        ("TidegateUpdateRevision", json!("b")),
        ("TidegateUpdateStrategy", json!("RollingUpdate")),
    ]
}

fn but(changes: &[(&'static str, Value)]) -> String {
    let others = settled().into_iter().filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    judged("apps", "statefulsets", &others.chain(changes.iter().cloned()).collect::<Vec<_>>())
}

#[test]
fn a_stateful_set_is_done_when_all_replicas_run_the_revision_that_is_recorded_as_current() {
    let cases = [
        ("settled", but(&[])),
        ("not observed", but(&[("TidegateGeneration", json!(3))])),
        ("one is old", but(&[("TidegateUpdatedReplicas", json!(1))])),
        ("one is not ready", but(&[("TidegateReadyReplicas", json!(1))])),
        ("not recorded", but(&[("TidegateCurrentRevision", json!("a"))])),
        (
            "up to a partition",
            but(&[
                ("TidegatePartition", json!(1)),
                ("TidegateUpdatedReplicas", json!(1)),
                ("TidegateCurrentRevision", json!("a")),
            ]),
        ),
        ("before a partition", but(&[("TidegatePartition", json!(1)), ("TidegateUpdatedReplicas", json!(0))])),
        ("by hand", but(&[("TidegateUpdateStrategy", json!("OnDelete")), ("TidegateCurrentRevision", json!("a"))])),
        ("nothing is reported", judged("apps", "statefulsets", &[])),
        ("odd partition", but(&[("TidegatePartition", json!(-5))])),
    ];
    let text: String = cases.iter().map(|(what, judged)| format!("# {what}\n{judged}")).collect();
    insta::assert_snapshot!("stateful_sets", text);
}

#[test]
fn a_clone_set_is_done_when_the_replicas_beyond_its_partition_are_ready_in_the_newest_version() {
    let of = |changes: &[(&'static str, Value)]| {
        let settled = [
            ("TidegateGeneration", json!(2)),
            ("TidegateObservedGeneration", json!(2)),
            ("TidegateDesiredReplicas", json!(3)),
            ("TidegateReplicas", json!(3)),
            ("TidegateReadyReplicas", json!(3)),
            ("TidegateUpdatedReadyReplicas", json!(3)),
            ("TidegateExpectedUpdatedReplicas", json!(3)),
        ];
        let others = settled.into_iter().filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
        judged("apps.kruise.io", "clonesets", &others.chain(changes.iter().cloned()).collect::<Vec<_>>())
    };
    let updated = |ready: u32| ("TidegateUpdatedReadyReplicas", json!(ready));
    let expected = |replicas: i32| ("TidegateExpectedUpdatedReplicas", json!(replicas));
    let cases = [
        ("settled", of(&[])),
        ("not observed", of(&[("TidegateGeneration", json!(3))])),
        ("one is not updated", of(&[updated(2)])),
        ("up to a partition", of(&[updated(1), expected(1)])),
        ("before a partition", of(&[updated(0), expected(1)])),
        ("an old one is not ready", of(&[updated(1), expected(1), ("TidegateReadyReplicas", json!(2))])),
        ("odd numbers", of(&[updated(0), expected(-1)])),
        ("nothing is reported", judged("apps.kruise.io", "clonesets", &[])),
    ];
    let text: String = cases.iter().map(|(what, judged)| format!("# {what}\n{judged}")).collect();
    insta::assert_snapshot!("clone_sets", text);
}

#[test]
fn a_job_is_done_when_it_is_complete_and_has_failed_when_it_says_so() {
    let generation = ("TidegateGeneration", json!(1));
    let job = |values: &[(&str, Value)]| judged("batch", "jobs", values);
    let cases = [
        ("complete", job(&[generation.clone(), ("TidegateJobComplete", json!("True"))])),
        ("running", job(std::slice::from_ref(&generation))),
        ("failed", job(&[generation.clone(), ("TidegateJobFailed", json!("True"))])),
        ("not failed", job(&[generation, ("TidegateJobFailed", json!("False"))])),
        ("of an add-on", job(&[("JobComplete", json!("True"))])),
    ];
    let text: String = cases.iter().map(|(what, judged)| format!("# {what}\n{judged}")).collect();
    insta::assert_snapshot!("jobs", text);
}

#[test]
fn a_workload_that_something_else_has_scaled_to_zero_is_ready() {
    let zero = [
        ("TidegateGeneration", json!(2)),
        ("TidegateObservedGeneration", json!(2)),
        ("TidegateDesiredReplicas", json!(0)),
    ];
    let scaled = [zero.to_vec(), vec![("TidegateScaledBy", json!("keda-operator"))]].concat();
    assert!(judged("apps", "statefulsets", &scaled).starts_with("available: True\ndoubt: -\n"));
    assert!(judged("apps", "statefulsets", &zero).starts_with("available: False\n"), "nobody says that it was scaled");
    let ending = [scaled, vec![("TidegateReplicas", json!(1))]].concat();
    assert!(judged("apps", "statefulsets", &ending).starts_with("available: False\n"), "a replica is left");
}
