//! How objects of the hub, certificates and dates are read.

use rcgen::{CertificateParams, KeyPair};
use serde_json::json;
use tidegate::doctor::facts::{Addon, Cluster, Definition, Gate, Lease, Placement, Writer, foreign_writers};
use tidegate_daemon::monitor::tls::pem_expiration;

use tidegate_model::time::http_date;

use super::at;

#[test]
fn the_end_of_a_certificate_is_read_in_both_of_its_forms() {
    let key = KeyPair::generate().unwrap();
    for (year, end) in [(2031, "2031-05-06T00:00:00Z"), (2065, "2065-05-06T00:00:00Z")] {
        let mut certificate = CertificateParams::new(vec!["hub".to_owned()]).unwrap();
        certificate.not_after = rcgen::date_time_ymd(year, 5, 6);
        let pem = certificate.self_signed(&key).unwrap().pem();
        assert_eq!(pem_expiration(&pem), Some(at(end)));
        // Whatever a file contains, reading it does not fail in another way.
        for cut in 0..pem.len() {
            let _ = pem_expiration(&format!("{}\n-----END CERTIFICATE-----", &pem[..cut]));
        }
    }
    assert_eq!(pem_expiration("-----BEGIN CERTIFICATE-----\nMA==\n-----END CERTIFICATE-----"), None);
    assert_eq!(pem_expiration(&key.serialize_pem()), None);
}

#[test]
fn the_date_of_an_answer_is_read() {
    assert_eq!(http_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(at("1994-11-06T08:49:37Z")));
    for malformed in ["", "Sun, 06 Nov 1994", "Sun, 06 Foo 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"] {
        assert_eq!(http_date(malformed), None, "{malformed:?}");
    }
}

#[test]
fn versions_whose_schemas_differ_only_in_descriptions_lose_nothing() {
    let version = |name: &str, served: bool, field: &str| {
        json!({ "name": name, "served": served, "storage": name == "v1", "schema": { "openAPIV3Schema": {
            "description": format!("version {name}"),
            "properties": { field: { "type": "string", "description": name }, "description": { "type": "string" } },
        } } })
    };
    let crd = |versions: [serde_json::Value; 2], strategy: &str| {
        let crd = json!({ "metadata": { "name": "things" }, "spec": { "versions": versions, "conversion": { "strategy": strategy } } });
        Definition::read(&crd).unwrap()
    };
    assert!(!crd([version("v1", true, "a"), version("v2", true, "a")], "None").loses_fields());
    assert!(crd([version("v1", true, "a"), version("v2", true, "b")], "None").loses_fields());
    assert!(crd([version("v1", true, "a"), version("v2", true, "description")], "None").loses_fields());
    assert!(!crd([version("v1", true, "a"), version("v2", true, "b")], "Webhook").loses_fields());
    assert!(!crd([version("v1", true, "a"), version("v2", false, "b")], "None").loses_fields());
    assert_eq!(crd([version("v1", true, "a"), version("v2", false, "b")], "None").served(), ["v1"]);
    assert_eq!(Definition::read(&json!({})), None);
}

#[test]
fn only_fields_of_the_spec_that_another_manager_owns_are_foreign() {
    let entry = |manager: &str, subresource: &str, fields: &str| json!({ "manager": manager, "subresource": subresource, "fieldsV1": { fields: {} } });
    let object = json!({ "metadata": { "managedFields": [
        entry("tidegate", "", "f:spec"),
        entry("kubectl-edit", "", "f:spec"),
        entry("agent", "status", "f:status"),
        entry("labeler", "", "f:metadata"),
    ] } });
    assert_eq!(foreign_writers(&object).into_iter().collect::<Vec<_>>(), ["kubectl-edit"]);
    assert!(foreign_writers(&json!({})).is_empty());
    let by = |manager: &str, operation: &str, minute: u8| {
        json!({
            "manager": manager, "operation": operation, "time": format!("2026-11-22T11:{minute}:00Z"), "fieldsV1": { "f:spec": {} },
        })
    };
    let adopted = json!({ "metadata": { "managedFields": [
        by("kubectl-client-side-apply", "Update", 10), by("argocd", "Apply", 10), by("tidegate", "Apply", 20), by("kubectl-edit", "Update", 30),
    ] } });
    assert_eq!(foreign_writers(&adopted).into_iter().collect::<Vec<_>>(), ["argocd", "kubectl-edit"]);
    let timed = json!({ "metadata": { "managedFields": [
        { "manager": "agent", "subresource": "status", "time": "2026-11-22T11:58:00Z" },
        { "manager": "without-time" },
    ] } });
    let writer = Writer { name: "agent".to_owned(), last: at("2026-11-22T11:58:00Z") };
    assert_eq!(Writer::read(&timed), [writer]);
}

#[test]
fn objects_without_what_the_checks_look_at_are_read_as_not_well() {
    let empty = json!({ "metadata": { "name": "x", "namespace": "n" } });
    let cluster = Cluster::read(&empty);
    assert!(!cluster.is_accepted && !cluster.is_available);
    assert_eq!(Placement::read(&empty), Placement { name: "n/x".to_owned(), is_scheduled: false });
    assert_eq!(Lease::read(&empty).renewed, None);
    assert_eq!(Gate::read(&empty), []);
    assert_eq!(
        Addon::read(&empty),
        Addon { name: "x".to_owned(), is_ours: false, has_template: false, is_upstream: false }
    );
}

#[test]
fn an_add_on_of_either_version_is_served_by_the_add_on_manager_if_it_lists_templates() {
    let addon = |field: &str, resource: &str| {
        let labels = json!({ "tidegate.io/owned": "true" });
        Addon::read(
            &json!({ "metadata": { "name": "x", "labels": labels }, "spec": { field: [{ "resource": resource }] } }),
        )
    };
    for field in ["defaultConfigs", "supportedConfigs"] {
        assert!(addon(field, "addontemplates").has_template && addon(field, "addontemplates").is_ours);
        assert!(!addon(field, "addondeploymentconfigs").has_template);
    }
}
