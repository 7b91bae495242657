//! Which requests are approved, and why others are left alone.

use std::sync::Arc;

use k8s_openapi::ByteString;
use k8s_openapi::api::certificates::v1::CertificateSigningRequest;
use serde_json::{Value, json};
use x509_cert::der::oid::db::rfc4519::COUNTRY_NAME;

use tidegate_api::key;
use tidegate_delivery::registration::{Decision, Reason, approved, issued};

use super::builders::{ALL, Asked, Hub, KUBE, ONE, SIGNER, addon, cluster, cn, csr, o, ou, usual};

/// Returns the reason why a request is left alone that differs from the usual one.
fn reason(change: impl FnOnce(&mut CertificateSigningRequest)) -> String {
    let mut csr = usual();
    change(&mut csr);
    Hub::default().reason(&csr).to_string()
}

/// Returns the reason why a request for this subject is left alone.
fn refusal(signer: &str, asked: &Asked) -> String {
    Hub::default().reason(&csr(signer, asked)).to_string()
}

fn user() -> String {
    format!("{ONE}:agent:hello-agent")
}

#[test]
fn the_request_of_an_agent_is_approved() {
    assert_eq!(Hub::default().decide(&usual()), Decision::Approve);
    assert_eq!(Hub::default().decide(&csr(SIGNER, &Asked::default())), Decision::Approve);
}

#[test]
fn the_request_that_another_library_encodes_is_approved() {
    let subject = json!({"user": "hello", "groups": ["a", "c"], "organizationUnit": ["b"]});
    let signer = json!({"signerName": SIGNER, "signingCA": {"name": "ca"}, "subject": subject});
    let mut csr = csr(SIGNER, &Asked::default());
    csr.spec.request = ByteString(include_bytes!("data/agent.csr").to_vec());
    assert_eq!(Hub::with(json!([{"type": "CustomSigner", "customSigner": signer}])).decide(&csr), Decision::Approve);
}

#[test]
fn a_request_may_ask_for_the_group_of_all_authenticated_users() {
    let asked = Asked::of(&[o(ALL), o("system:authenticated"), o(ONE), cn(&user())]);
    assert_eq!(Hub::default().decide(&csr(KUBE, &asked)), Decision::Approve);
}

#[test]
fn an_approved_request_has_upstreams_condition_and_is_left_to_its_signer() {
    let csr = approved(&usual());
    assert_eq!(
        json!(csr)["status"],
        json!({"conditions": [{
            "type": "Approved", "status": "True", "reason": "AutoApprovedByHubCSRApprovingController",
            "message": "Auto approving addon agent certificate.",
        }]})
    );
    let reason = Hub::default().reason(&csr).to_string();
    assert_eq!(reason, format!("it is approved, and signer {KUBE} issues its certificate"));
}

#[test]
fn a_request_that_is_denied_failed_or_issued_is_left_alone() {
    for kind in ["Denied", "Failed"] {
        let mut csr = approved(&csr(SIGNER, &Asked::default()));
        let conditions = csr.status.as_mut().unwrap().conditions.as_mut().unwrap();
        let mut other = conditions[0].clone();
        other.type_ = kind.to_owned();
        conditions.push(other);
        assert_eq!(Hub::default().reason(&csr).to_string(), format!("it has the condition {kind}"));
    }
    let csr = issued(&approved(&csr(SIGNER, &Asked::default())), "certificate".to_owned());
    assert_eq!(Hub::default().reason(&csr).to_string(), "it has its certificate");
}

#[test]
fn a_request_that_is_not_of_an_addon_is_left_alone() {
    assert_eq!(reason(|csr| csr.metadata.name = Some("east-1".to_owned())), "its name does not start with `addon`");
    for label in [key::CLUSTER_NAME, key::ADDON_NAME] {
        let without = reason(|csr| {
            csr.metadata.labels.as_mut().unwrap().remove(label);
        });
        assert_eq!(without, format!("it has no label {label}"));
    }
    let invalid = reason(|csr| {
        csr.metadata.labels.as_mut().unwrap().insert(key::CLUSTER_NAME.to_owned(), "East".to_owned());
    });
    assert!(invalid.starts_with(&format!("its label {}: \"East\" is not a valid cluster name", key::CLUSTER_NAME)));
}

#[test]
fn the_agent_of_another_cluster_gets_nothing() {
    let users = [
        "system:open-cluster-management:west:agent-1",
        "system:open-cluster-management:east-2:agent-1",
        "system:open-cluster-management:eastern",
        "system:open-cluster-management:east",
        "system:open-cluster-management:east:",
        "system:open-cluster-management:east:agent:1",
        "kubernetes-admin",
        "",
    ];
    for signer in [KUBE, SIGNER] {
        for user in users {
            let mut csr = csr(signer, &Asked::default());
            csr.spec.username = Some(user.to_owned());
            let reason = Hub::default().reason(&csr).to_string();
            assert_eq!(reason, format!("its requester {user:?} is not the agent of cluster east"));
        }
    }
}

#[test]
fn an_addon_agent_is_not_the_agent_of_a_cluster_named_cluster() {
    let agent = "system:open-cluster-management:cluster:west:addon:other:agent:other-agent";
    let mut csr = usual();
    csr.metadata.labels.as_mut().unwrap().insert(key::CLUSTER_NAME.to_owned(), "cluster".to_owned());
    csr.spec.username = Some(agent.to_owned());
    let hub = Hub::of(&[cluster("cluster")], &[addon("cluster")]);
    let reason = hub.reason(&csr).to_string();
    assert_eq!(reason, format!("its requester {agent:?} is not the agent of cluster cluster"));
}

#[test]
fn a_requester_outside_the_group_of_the_cluster_gets_nothing() {
    let without = reason(|csr| csr.spec.groups = Some(vec!["system:open-cluster-management:west".to_owned()]));
    assert_eq!(without, "its requester is not in group system:open-cluster-management:east");
}

#[test]
fn a_relayed_request_is_one_of_the_user_that_the_relay_names() {
    let relayed = |user: &str, relay: &str| {
        let mut csr = usual();
        csr.spec.username = Some(relay.to_owned());
        csr.spec.groups = None;
        csr.metadata.annotations = Some([("open-cluster-management.io/csr-user".to_owned(), user.to_owned())].into());
        Hub::default().decide(&csr)
    };
    let relay = "system:serviceaccount:open-cluster-management-hub:grpc-server-sa";
    assert_eq!(relayed("system:open-cluster-management:east:agent-1", relay), Decision::Approve);
    assert!(matches!(relayed("system:open-cluster-management:west:agent-1", relay), Decision::Ignore(_)));
    // Anyone can write the annotation.
    assert!(matches!(relayed("system:open-cluster-management:east:agent-1", "someone"), Decision::Ignore(_)));
}

#[test]
fn a_request_for_another_user_is_left_alone() {
    for other in ["hello-agent".to_owned(), user().replace("east", "west"), format!("{ONE}:agent:hello"), String::new()]
    {
        let asked = Asked::of(&[o(ONE), o(ALL), cn(&other)]);
        let expected = user();
        assert_eq!(
            refusal(KUBE, &asked),
            format!("its common name is {other:?}, and the registration has {expected:?}")
        );
    }
}

#[test]
fn a_request_without_one_of_the_groups_is_left_alone() {
    for (kept, missing) in [(ONE, ALL), (ALL, ONE)] {
        let asked = Asked::of(&[o(kept), cn(&user())]);
        assert_eq!(refusal(KUBE, &asked), format!("it does not ask for group {missing:?}"));
    }
}

#[test]
fn a_request_for_a_third_group_is_left_alone() {
    for extra in ["system:masters", "system:open-cluster-management:cluster:west:addon:hello", ""] {
        let asked = Asked::of(&[o(ONE), o(ALL), o(extra), cn(&user())]);
        let expected = format!("it asks for group {extra:?}, which the registration does not have");
        assert_eq!(refusal(KUBE, &asked), expected);
        assert_eq!(refusal(SIGNER, &asked), expected);
    }
}

#[test]
fn a_subject_with_two_users_none_or_other_attributes_is_left_alone() {
    let two = Asked::of(&[o(ONE), o(ALL), cn("system:admin"), cn(&user())]);
    assert_eq!(refusal(KUBE, &two), "its subject has 2 common names, and not one");
    assert_eq!(refusal(KUBE, &Asked::of(&[o(ONE), o(ALL)])), "its subject has 0 common names, and not one");
    let country = Asked::of(&[o(ONE), o(ALL), cn(&user()), (COUNTRY_NAME, "DE".to_owned())]);
    assert_eq!(refusal(KUBE, &country), "its subject has the attribute 2.5.4.6");
    let unit = Asked::of(&[o(ONE), o(ALL), ou("sales"), cn(&user())]);
    assert_eq!(refusal(KUBE, &unit), r#"its organizational units are ["sales"], and the registration has []"#);
}

#[test]
fn a_request_for_other_usages_or_names_is_left_alone() {
    let usage = reason(|csr| csr.spec.usages.as_mut().unwrap().push("server auth".to_owned()));
    assert_eq!(usage, r#"it asks for usage "server auth""#);
    let asked = Asked { dns: vec!["kubernetes.default.svc".to_owned()], ..Asked::default() };
    assert_eq!(
        refusal(SIGNER, &asked),
        "it asks for the alternative name \"kubernetes.default.svc\", and only DNS name \
         \"hello.addon.open-cluster-management.io\" is allowed"
    );
}

#[test]
fn a_malformed_request_is_left_alone() {
    let with = |request: &str| reason(|csr| csr.spec.request = ByteString(request.as_bytes().to_vec()));
    let good = Asked::default().pem();
    let other = Asked::of(&[o("system:masters"), cn("admin")]).pem();
    let not_first = "its field spec.request does not start with a PEM block CERTIFICATE REQUEST";
    assert_eq!(with(""), not_first);
    assert_eq!(with(&format!("\n{good}")), not_first);
    assert_eq!(with(&good.replace("CERTIFICATE REQUEST", "NEW CERTIFICATE REQUEST")), not_first);
    for malformed in [good[..good.len() / 2].to_owned(), format!("{good}{other}"), good.replace('M', "*")] {
        assert!(with(&malformed).starts_with("its field spec.request cannot be read: "), "{malformed}");
    }
}

#[test]
fn a_request_with_the_key_of_another_is_left_alone() {
    use x509_cert::der::{DecodePem as _, EncodePem as _};
    let mut good = x509_cert::request::CertReq::from_pem(Asked::default().pem()).unwrap();
    let other = Asked::of(&[cn("other")]).pem();
    good.signature = x509_cert::request::CertReq::from_pem(other).unwrap().signature;
    let pem = good.to_pem(x509_cert::der::pem::LineEnding::LF).unwrap();
    assert_eq!(
        reason(|csr| csr.spec.request = ByteString(pem.into_bytes())),
        "its signature does not fit its public key, or has an algorithm that is not supported"
    );
}

#[test]
fn a_signer_that_the_template_does_not_name_is_left_alone() {
    for signer in ["kubernetes.io/kubelet-serving", "example.com/other", ""] {
        let reason = refusal(signer, &Asked::default());
        assert_eq!(reason, format!("the template has no registration for signer {signer}"));
    }
    let kube_only = Hub::with(json!([{"type": "KubeClient"}]));
    assert!(matches!(kube_only.decide(&csr(SIGNER, &Asked::default())), Decision::Ignore(_)));
    let none = Hub::with(json!([]));
    assert!(matches!(none.decide(&usual()), Decision::Ignore(_)));
}

#[test]
fn a_custom_signer_with_the_name_of_a_kubernetes_signer_is_never_served() {
    let subject = json!({"user": "admin", "groups": ["system:masters"]});
    let custom = |signer: &str| {
        let signer = json!({"signerName": signer, "signingCA": {"name": "ca"}, "subject": subject});
        json!({"type": "CustomSigner", "customSigner": signer})
    };
    let admin = Asked::of(&[o("system:masters"), cn("admin")]);
    for signer in [KUBE, "kubernetes.io/kubelet-serving"] {
        for registrations in [json!([custom(signer)]), json!([{"type": "KubeClient"}, custom(signer)])] {
            let hub = Hub::with(registrations);
            for asked in [&admin, &Asked::default()] {
                let reason = hub.reason(&csr(signer, asked)).to_string();
                assert!(reason.starts_with(&format!("the template has a CustomSigner named {signer}")), "{reason}");
            }
        }
    }
}

#[test]
fn a_custom_signer_serves_the_subject_of_its_template() {
    let subject = json!({"user": "hello", "groups": ["a"], "organizationUnit": ["b", "c"]});
    let signer = |subject: &Value| {
        let signer = json!({"signerName": SIGNER, "signingCA": {"name": "ca"}, "subject": subject});
        Hub::with(json!([{"type": "CustomSigner", "customSigner": signer}]))
    };
    let asked = Asked::of(&[o("a"), ou("c"), ou("b"), cn("hello")]);
    assert_eq!(signer(&subject).decide(&csr(SIGNER, &asked)), Decision::Approve);
    assert!(matches!(signer(&subject).decide(&csr(SIGNER, &Asked::default())), Decision::Ignore(_)));
    let asked = Asked::of(&[o("a"), o("system:authenticated"), ou("c"), ou("b"), cn("hello")]);
    assert!(matches!(signer(&subject).decide(&csr(SIGNER, &asked)), Decision::Ignore(_)));
    // Without a user, the agent asks for one with the name of the add-on.
    let asked = Asked::of(&[ou("b"), cn(&format!("{ONE}:agent:hello"))]);
    assert_eq!(signer(&json!({"organizationUnit": ["b"]})).decide(&csr(SIGNER, &asked)), Decision::Approve);
}

#[test]
fn incomplete_evidence_approves_nothing() {
    let reason = |hub: Hub| hub.reason(&usual()).to_string();
    assert_eq!(reason(Hub::of(&[cluster("west")], &[addon("east")])), "cluster east does not exist");
    assert_eq!(reason(Hub::of(&[cluster("east")], &[addon("west")])), "add-on hello does not exist on cluster east");
    assert_eq!(
        reason(Hub { registrations: None, ..Hub::default() }),
        r#"addontemplate.addon.open-cluster-management.io "hello-1" not found"#
    );
    let changed = |pointer: &str, value: Value| {
        let mut addon = addon("east");
        *addon.pointer_mut(pointer).unwrap() = value;
        reason(Hub::of(&[cluster("east")], &[addon]))
    };
    assert_eq!(changed("/status", json!({})), "add-on hello on cluster east has no AddOnTemplate");
    assert_eq!(
        changed("/status/configReferences/0/desiredConfig/specHash", json!("")),
        "addon hello template desired spec hash is empty"
    );
}

#[test]
fn an_addon_that_is_not_ours_or_leaves_gets_no_certificate() {
    let changed = |field: &str, value: Value| {
        let mut addon = addon("east");
        addon["metadata"][field] = value;
        Hub::of(&[cluster("east")], &[addon]).reason(&usual()).to_string()
    };
    assert_eq!(changed("labels", json!({})), "add-on hello on cluster east belongs to no instance");
    assert_eq!(
        changed("labels", json!({key::INSTANCE_LABEL: "0123456789abcdef"})),
        "add-on hello on cluster east belongs to instance 0123456789abcdef"
    );
    assert_eq!(
        changed("deletionTimestamp", json!("2026-01-01T00:00:00Z")),
        "add-on hello is being deleted from cluster east"
    );
}

#[test]
fn real_hub_h3_an_addon_that_was_there_before_this_instance_drove_it_gets_a_certificate() {
    let driven_by = |on_cluster: Value, labels: Value| {
        let mut before = addon("east");
        before["metadata"]["labels"] = on_cluster;
        let mut hub = Hub::of(&[cluster("east")], &[before]);
        let declared = json!({ "metadata": { "name": "hello", "labels": labels }, "spec": {} });
        hub.fleet.addons.insert("hello".parse().unwrap(), Arc::new(serde_json::from_value(declared).unwrap()));
        hub.decide(&usual())
    };
    let own = addon("east")["metadata"]["labels"].clone();
    for unmarked in [json!({}), json!({ key::OWNED_LABEL: "true" })] {
        assert_eq!(driven_by(unmarked.clone(), own.clone()), Decision::Approve);
        for others in [json!({}), json!({ key::INSTANCE_LABEL: "0123456789abcdef" })] {
            let decision = driven_by(unmarked.clone(), others);
            assert!(matches!(decision, Decision::Ignore(Reason::Owner(..))), "it is driven by someone else");
        }
    }
}

#[test]
fn a_cluster_that_the_hub_has_not_accepted_gets_no_certificate() {
    let mut east = cluster("east");
    east["spec"]["hubAcceptsClient"] = json!(false);
    let reason = Hub::of(&[east], &[addon("east")]).reason(&usual()).to_string();
    assert_eq!(reason, "the hub has not accepted cluster east");
}

#[test]
fn a_request_that_is_cut_off_or_continues_is_left_alone() {
    let (label, der) = x509_cert::der::pem::decode_vec(Asked::default().pem().as_bytes())
        .map(|(label, der)| (label.to_owned(), der))
        .unwrap();
    let longer = [&der[..], &[0]].concat();
    for malformed in [&[][..], &der[..1], &der[..der.len() - 1], &longer[..]] {
        let line_ending = x509_cert::der::pem::LineEnding::LF;
        let pem = x509_cert::der::pem::encode_string(&label, line_ending, malformed).unwrap();
        let reason = reason(|csr| csr.spec.request = ByteString(pem.into_bytes()));
        assert!(reason.starts_with("its field spec.request cannot be read: "), "{reason}");
    }
}
