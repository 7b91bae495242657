//! The chain from a work to its objects, as agents report it.

use serde_json::{Value, json};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_delivery::{Holds, Level, Link, first_broken, links};

use super::health::condition;

const FORBIDDEN: &str = "rollouts.standard.oam.dev \"nginx-server\" is forbidden: User \"system:serviceaccount:a:klusterlet-work-sa\" cannot get resource \"rollouts\" in API group \"standard.oam.dev\" in the namespace \"default\"";

fn at(type_: &str, status: &str, generation: i64) -> Value {
    let mut condition = condition(type_, status);
    condition["observedGeneration"] = json!(generation);
    condition
}

fn manifest(ordinal: i32, (group, kind, resource): (&str, &str, &str), conditions: &[Value], values: &Value) -> Value {
    json!({
        "resourceMeta": {
            "ordinal": ordinal, "group": group, "version": "v1", "kind": kind, "resource": resource, "name": "nginx-server",
            "namespace": "default",
        },
        "statusFeedback": { "values": values },
        "conditions": conditions,
    })
}

const DEPLOYMENT: (&str, &str, &str) = ("apps", "Deployment", "deployments");
const ROLLOUT: (&str, &str, &str) = ("standard.oam.dev", "Rollout", "rollouts");

/// Returns a work of generation 2 with two manifests.
fn work(conditions: &[Value], manifests: &Value) -> ManifestWork {
    let work = json!({
        "apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork",
        "metadata": { "name": "app-web-0", "namespace": "dev2", "generation": 2 },
        "spec": { "workload": { "manifests": [{ "kind": "Deployment" }, { "kind": "Rollout" }] } },
        "status": { "conditions": conditions, "resourceStatus": { "manifests": manifests } },
    });
    serde_json::from_value(work).unwrap()
}

fn ready(replicas: i64) -> Value {
    let value =
        |(name, integer): (&str, i64)| json!({ "name": name, "fieldValue": { "type": "Integer", "integer": integer } });
    [("Replicas", 2), ("ReadyReplicas", replicas)].map(value).into()
}

fn shown(links: &[Link]) -> String {
    let line = |(index, link): (usize, &Link)| {
        let mark = if first_broken(links) == Some(index) { " <-" } else { "" };
        format!("{:?} {}: {:?}, {}{mark}\n", link.level, link.what, link.holds, link.reports)
    };
    links.iter().enumerate().map(line).collect()
}

#[test]
fn c19_the_first_link_that_does_not_hold_is_found_at_every_level() {
    let well = [condition("Applied", "True"), condition("Available", "True")];
    let done = [at("Applied", "True", 2), at("Available", "True", 2)];
    let both = |deployment: &[Value], rollout: &[Value], replicas: i64| {
        json!([manifest(1, ROLLOUT, rollout, &json!([])), manifest(0, DEPLOYMENT, deployment, &ready(replicas))])
    };
    // Everything is as it should be.
    let whole = links(&work(&done, &both(&well, &well, 2)));
    assert_eq!(first_broken(&whole), None);
    // The agent has not seen the last generation.
    let old = links(&work(&[at("Applied", "True", 1), at("Available", "True", 1)], &both(&well, &well, 2)));
    // The API server of the cluster refuses an object.
    let mut refused = condition("Applied", "False");
    refused["message"] = json!(FORBIDDEN);
    let refused = links(&work(&[at("Applied", "False", 2), at("Available", "True", 2)], &both(&well, &[refused], 2)));
    // An object has gone, and a workload is not ready.
    let gone = [condition("Applied", "True"), condition("Available", "False")];
    let gone = links(&work(&[at("Applied", "True", 2), at("Available", "False", 2)], &both(&well, &gone, 2)));
    let idle = links(&work(&done, &both(&well, &well, 1)));
    // The agent reports nothing.
    let silent = links(&work(&[], &json!([])));
    insta::assert_snapshot!([whole, old, refused.clone(), gone, idle, silent].map(|links| shown(&links)).join("\n"), @r#"
    Work ManifestWork app-web-0: Yes, generation 2: Applied True at generation 2, Available True at generation 2
    Manifest Deployment default/nginx-server: Yes, applied
    Object Deployment default/nginx-server: Yes, exists (Replicas=2, ReadyReplicas=2)
    Manifest Rollout default/nginx-server: Yes, applied
    Object Rollout default/nginx-server: Yes, exists

    Work ManifestWork app-web-0: Unknown, generation 2: Applied True at generation 1, Available True at generation 1 <-
    Manifest Deployment default/nginx-server: Yes, applied
    Object Deployment default/nginx-server: Yes, exists (Replicas=2, ReadyReplicas=2)
    Manifest Rollout default/nginx-server: Yes, applied
    Object Rollout default/nginx-server: Yes, exists

    Work ManifestWork app-web-0: Yes, generation 2: Applied False at generation 2, Available True at generation 2
    Manifest Deployment default/nginx-server: Yes, applied
    Object Deployment default/nginx-server: Yes, exists (Replicas=2, ReadyReplicas=2)
    Manifest Rollout default/nginx-server: No, not applied: rollouts.standard.oam.dev "nginx-server" is forbidden: User "system:serviceaccount:a:klusterlet-work-sa" cannot get resource "rollouts" in API group "standard.oam.dev" in the namespace "default" <-
    Object Rollout default/nginx-server: Unknown, not reported

    Work ManifestWork app-web-0: Yes, generation 2: Applied True at generation 2, Available False at generation 2
    Manifest Deployment default/nginx-server: Yes, applied
    Object Deployment default/nginx-server: Yes, exists (Replicas=2, ReadyReplicas=2)
    Manifest Rollout default/nginx-server: Yes, applied
    Object Rollout default/nginx-server: No, does not exist: why <-

    Work ManifestWork app-web-0: Yes, generation 2: Applied True at generation 2, Available True at generation 2
    Manifest Deployment default/nginx-server: Yes, applied
    Object Deployment default/nginx-server: No, exists, but 1 of 2 replicas of deployments default/nginx-server are ready (Replicas=2, ReadyReplicas=1) <-
    Manifest Rollout default/nginx-server: Yes, applied
    Object Rollout default/nginx-server: Yes, exists

    Work ManifestWork app-web-0: Unknown, generation 2: Applied is not reported, Available is not reported <-
    Manifest ManifestWork app-web-0: Unknown, 2 of 2 objects are not reported
    "#);
    // The agent does not say with which object something is wrong.
    let vague = links(&work(&[at("Applied", "False", 2), at("Available", "True", 2)], &both(&well, &well, 2)));
    assert_eq!((first_broken(&vague), vague[0].holds), (Some(0), Holds::No));
    let access = refused.iter().find_map(|link| link.forbidden.as_ref()).unwrap();
    assert_eq!(access.to_string(), "get rollouts.standard.oam.dev in namespace default");
}

#[test]
fn what_an_agent_reports_is_short_and_breaks_no_line() {
    let mut hostile = condition("Applied", "False");
    hostile["message"] = json!(format!("a\n\u{1b}[2J{}", "long ".repeat(10_000)));
    let values: Vec<Value> = (0..100)
        .map(|n| json!({ "name": format!("n{n}"), "fieldValue": { "type": "String", "string": "x\ny" } }))
        .collect();
    let links = links(&work(&[hostile.clone()], &json!([manifest(0, DEPLOYMENT, &[hostile], &json!(values))])));
    assert!(links.iter().any(|link| link.level == Level::Manifest && link.holds == Holds::No));
    for link in links {
        assert!(link.reports.chars().count() < 600 && !link.reports.contains(char::is_control), "{link:?}");
    }
}
