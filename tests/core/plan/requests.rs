//! The requests of add-on agents for certificates: which ones a plan approves, and which certificates it has issued.

use std::sync::Arc;

use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use serde_json::{Value, json};
use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_delivery::registration::{approved, issued};
use tidegate_model::action::{Subresource, Write};
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;
use tidegate_model::time::Timestamp;
use tidegate_plan::{Input, Memo, Plan, plan};
use tidegate_repository::{Repository, hold, load};

use super::{examples, read};
use crate::certificate_request::{Asked, cn, o};

const ADDON: &str = "managed-serviceaccount";
const KUBE: &str = "kubernetes.io/kube-apiserver-client";
const SIGNER: &str = "example.com/vault";

/// A hub on which cluster `east` has both add-ons of the examples.
fn hub(repository: &Repository) -> Fleet {
    let mut fleet = Fleet::default();
    let cluster = json!({ "metadata": { "name": "east", "uid": "c", "resourceVersion": "1" }, "spec": { "hubAcceptsClient": true } });
    fleet.clusters.insert("east".parse().unwrap(), read(cluster));
    for name in [ADDON, "hello-template"] {
        let addon = &repository.addons[name];
        let template = addon.configurations.iter().find(|(reference, _)| reference.resource == key::ADDON_TEMPLATES);
        let (reference, template) = template.unwrap();
        install(&mut fleet, name, &reference.name, &template.spec_hash);
    }
    fleet
}

/// Assigns cluster `east` a template of an add-on.
fn install(fleet: &mut Fleet, addon: &str, template: &str, hash: &str) {
    let assigned = json!({
        "group": key::ADDON_GROUP, "resource": key::ADDON_TEMPLATES, "name": template,
        "desiredConfig": { "name": template, "specHash": hash },
    });
    let labels = json!({ key::INSTANCE_LABEL: crate::instance::instance().id.as_str() });
    let metadata = json!({
        "name": addon, "namespace": "east", "uid": addon, "resourceVersion": hash, "labels": labels,
    });
    let object = json!({ "metadata": metadata, "spec": {}, "status": { "configReferences": [assigned] } });
    fleet.cluster_addons.entry(addon.parse().unwrap()).or_default().insert("east".parse().unwrap(), read(object));
}

/// Returns the request of the agent of cluster `east` for an add-on.
fn request(name: &str, addon: &str, signer: &str, asked: &Asked) -> CertificateSigningRequest {
    let labels = json!({ key::CLUSTER_NAME: "east", key::ADDON_NAME: addon });
    let mut request: CertificateSigningRequest = serde_json::from_value(json!({
        "metadata": {
            "name": name, "uid": name, "resourceVersion": "1", "labels": labels, "managedFields": [{ "manager": "agent" }],
        },
        "spec": {
            "signerName": signer, "request": "", "usages": ["client auth"],
            "username": "system:open-cluster-management:east:agent-1",
            "groups": ["system:open-cluster-management:east", "system:authenticated"],
        },
    }))
    .unwrap();
    request.spec.request.0 = asked.pem().into_bytes();
    request
}

fn usual() -> CertificateSigningRequest {
    request("addon-east-1", ADDON, KUBE, &Asked::by("east", ADDON))
}

fn put(fleet: &mut Fleet, request: CertificateSigningRequest) {
    fleet.requests.insert(request.metadata.name.clone().unwrap(), Arc::new(request));
}

fn planned(repository: &Repository, fleet: &Fleet, memo: &mut Memo) -> Plan {
    let instance = crate::instance::instance();
    let input = Input::offline(repository, fleet, &instance);
    plan(&input, memo)
}

/// Returns the requests that a plan approves.
fn approvals(plan: &Plan) -> Vec<&Value> {
    let writes = plan.lanes.iter().flat_map(|lane| &lane.writes);
    let approved = |write| match write {
        &Write::Replace { subresource: Subresource::Approval, ref object } => Some(object),
        _ => None,
    };
    writes.filter_map(approved).collect()
}

/// Returns the number of approvals for a request, and the lines about it.
fn answer(repository: &Repository, request: CertificateSigningRequest) -> (usize, Vec<String>) {
    let mut fleet = hub(repository);
    put(&mut fleet, request);
    let plan = planned(repository, &fleet, &mut Memo::default());
    assert_eq!(plan.issues, []);
    (approvals(&plan).len(), plan.suspects)
}

/// The examples, with another registration in the template of an add-on.
fn with_registration(registration: &str) -> Repository {
    let mut tree = crate::example_tree::tree();
    let path = "fleet/addons/managed-serviceaccount/template-0.4.0.yaml";
    let text = String::from_utf8(tree.files[path].clone()).unwrap();
    let (head, _) = text.split_once("  registration:\n").unwrap();
    tree.files.insert(path.to_owned(), format!("{head}  registration:\n{registration}").into_bytes());
    hold(load(&tree, ""), &Default::default(), None)
}

const CUSTOM: &str = "    - type: CustomSigner
      customSigner:
        signerName: example.com/vault
        signingCA: {name: vault-ca}
";

#[test]
fn the_request_of_an_agent_is_approved_and_not_approved_again() {
    let repository = examples();
    let (mut fleet, mut memo) = (hub(&repository), Memo::default());
    put(&mut fleet, usual());
    let plan = planned(&repository, &fleet, &mut memo);
    let [written] = approvals(&plan)[..] else { panic!("{:?}", plan.lanes) };
    assert_eq!(
        (&written["apiVersion"], &written["kind"]),
        (&json!("certificates.k8s.io/v1"), &json!("CertificateSigningRequest"))
    );
    assert_eq!(
        (&written["metadata"]["resourceVersion"], &written["metadata"]["managedFields"]),
        (&json!("1"), &Value::Null)
    );
    assert_eq!(written["status"]["conditions"][0]["type"], "Approved");
    assert_eq!(approvals(&planned(&repository, &fleet, &mut memo)).len(), 1, "it was not carried out");

    let mut approved = approved(&usual());
    approved.metadata.resource_version = Some("2".to_owned());
    put(&mut fleet, approved);
    let plan = planned(&repository, &fleet, &mut memo);
    assert_eq!((approvals(&plan).len(), plan.issues, plan.suspects), (0, vec![], vec![]));
}

#[test]
fn a_request_of_someone_else_is_reported_and_ignored() {
    let repository = examples();
    let one = format!("system:open-cluster-management:cluster:east:addon:{ADDON}");
    let all = format!("system:open-cluster-management:addon:{ADDON}");
    let user = format!("{one}:agent:{ADDON}-agent");
    let other = |asked: &Asked| request("addon-east-1", ADDON, KUBE, asked);
    let by = |user: &str| {
        let mut request = usual();
        request.spec.username = Some(user.to_owned());
        request
    };
    for (request, why) in [
        (by("system:open-cluster-management:east-2:agent-1"), "is not the agent of cluster east"),
        (by("system:open-cluster-management:east"), "is not the agent of cluster east"),
        (by(&user), "is not the agent of cluster east"),
        (other(&Asked::by("west", ADDON)), "its common name is"),
        (other(&Asked::by("east", "hello-template")), "its common name is"),
        (other(&Asked::of(&[o(&one), cn(&user)])), "it does not ask for group"),
        (
            other(&Asked::of(&[o(&one), o(&all), o("system:masters"), cn(&user)])),
            "it asks for group \"system:masters\"",
        ),
    ] {
        let (approvals, lines) = answer(&repository, request);
        assert_eq!(approvals, 0, "{why}");
        let [line] = &lines[..] else { panic!("{lines:?}") };
        assert!(
            line.starts_with("CertificateSigningRequest addon-east-1 is left alone: ") && line.contains(why),
            "{line}"
        );
    }
    let long = other(&Asked::of(&[cn(&"x".repeat(10_000))]));
    assert_eq!(answer(&repository, long).1[0].chars().count(), 401, "a line has a limit");
}

#[test]
fn a_request_for_another_component_is_left_alone_in_silence() {
    let repository = examples();
    let closed = |kind: &str| {
        let mut request = approved(&usual());
        request.status.as_mut().unwrap().conditions.as_mut().unwrap()[0].type_ = kind.to_owned();
        request
    };
    let unknown = request("addon-east-1", "other", KUBE, &Asked::by("east", "other"));
    let unregistered = request("addon-east-1", "hello-template", KUBE, &Asked::by("east", "hello-template"));
    let signer = request("addon-east-1", ADDON, SIGNER, &Asked::by("east", ADDON));
    let renamed = request("csr-1", ADDON, KUBE, &Asked::by("east", ADDON));
    for request in [closed("Denied"), closed("Failed"), unknown, unregistered, signer, renamed] {
        assert_eq!(answer(&repository, request), (0, vec![]));
    }
}

#[test]
fn an_agent_that_changes_its_status_gets_nothing_from_the_template_of_another_add_on() {
    let repository = with_registration(CUSTOM);
    let mut fleet = hub(&repository);
    let stolen = fleet.cluster_addons[ADDON]["east"].metadata.resource_version.clone().unwrap();
    install(&mut fleet, "hello-template", "managed-serviceaccount-0.4.0", &stolen);
    put(&mut fleet, request("addon-east-1", "hello-template", SIGNER, &Asked::by("east", "hello-template")));
    let plan = planned(&repository, &fleet, &mut Memo::default());
    assert_eq!(approvals(&plan).len(), 0);
    assert!(plan.suspects[0].contains("\"managed-serviceaccount-0.4.0\" not found"), "{:?}", plan.suspects);
}

#[test]
fn a_custom_signer_approves_and_then_issues() {
    let repository = with_registration(CUSTOM);
    let mut fleet = hub(&repository);
    let asked = request("addon-east-1", ADDON, SIGNER, &Asked::by("east", ADDON));
    put(&mut fleet, asked.clone());
    let plan = planned(&repository, &fleet, &mut Memo::default());
    assert_eq!((approvals(&plan).len(), plan.issues), (1, vec![]));
    put(&mut fleet, approved(&asked));
    let plan = planned(&repository, &fleet, &mut Memo::default());
    let [issue] = &plan.issues[..] else { panic!("{:?}", plan.issues) };
    assert_eq!(approvals(&plan).len(), 0);
    assert_eq!(issue.authority, NamespacedName::new("open-cluster-management-hub", "vault-ca"));
}

#[test]
fn thousands_of_requests_are_judged_in_portions_and_bad_ones_delay_no_good_one_for_long() {
    let repository = examples();
    let (mut fleet, mut memo) = (hub(&repository), Memo::default());
    let bad = request("addon-a", ADDON, KUBE, &Asked::by("west", ADDON));
    for number in 0..400 {
        let mut request = bad.clone();
        request.metadata.name = Some(format!("addon-a-{number}"));
        put(&mut fleet, request);
    }
    let first = planned(&repository, &fleet, &mut memo);
    assert_eq!((first.suspects.len(), first.look_at), (21, Some(Timestamp::UNIX_EPOCH)));
    assert_eq!(first.suspects[20], "and 230 more CertificateSigningRequests");
    for number in 0..400 {
        let mut request = issued(&usual(), "PEM".to_owned());
        request.metadata.name = Some(format!("addon-b-{number}"));
        put(&mut fleet, request);
    }
    put(&mut fleet, usual());
    let second = planned(&repository, &fleet, &mut memo);
    assert_eq!(approvals(&second).len(), 1);
    assert_eq!(second.suspects[20], "and 380 more CertificateSigningRequests");
    assert_ne!(second.look_at, Some(Timestamp::UNIX_EPOCH), "nothing is left to judge");
}

#[test]
fn a_request_is_judged_again_when_its_evidence_changes() {
    let repository = examples();
    let (mut fleet, mut memo) = (hub(&repository), Memo::default());
    let addons = std::mem::take(&mut fleet.cluster_addons);
    put(&mut fleet, usual());
    assert_eq!(approvals(&planned(&repository, &fleet, &mut memo)).len(), 0);
    fleet.cluster_addons = addons;
    assert_eq!(approvals(&planned(&repository, &fleet, &mut memo)).len(), 1);
    let accepted = fleet.clusters.clone();
    let cluster = json!({ "metadata": { "name": "east", "uid": "c", "resourceVersion": "2" }, "spec": { "hubAcceptsClient": false } });
    fleet.clusters.insert("east".parse().unwrap(), read(cluster));
    assert_eq!(approvals(&planned(&repository, &fleet, &mut memo)).len(), 0);
    fleet.clusters = accepted;
    let unknown = "0".repeat(64);
    install(&mut fleet, ADDON, "managed-serviceaccount-0.4.0", &unknown);
    assert_eq!(approvals(&planned(&repository, &fleet, &mut memo)).len(), 0, "its template is not known");
}

#[test]
fn an_add_on_that_left_the_repository_keeps_its_credentials() {
    let (repository, name) = (examples(), "managed-serviceaccount-0.4.0");
    let mut fleet = hub(&repository);
    install(&mut fleet, ADDON, name, &"0".repeat(64));
    put(&mut fleet, usual());
    let key = ObjectKey::new(key::ADDON_GROUP, "AddOnTemplate", "", name);
    let mut approved = |owner: &str| {
        let mut template = Value::clone(&repository.objects[&key].object);
        template["metadata"]["labels"] = json!({ key::INSTANCE_LABEL: owner, key::OWNED_LABEL: "true" });
        fleet.declared.insert(key.clone(), Arc::new(template));
        approvals(&planned(&Repository::default(), &fleet, &mut Memo::default())).len()
    };
    let ours = crate::instance::instance().id.to_string();
    assert_eq!([approved(&ours), approved("fedcba9876543210")], [1, 0]);
}
