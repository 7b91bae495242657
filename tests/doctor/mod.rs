//! The checks of `tidegate doctor`: facts in, lines out.

mod covered;
mod facts;
mod forge;
mod verdicts;

use std::fmt::Write as _;

use tidegate::doctor::facts::{
    Addon, Certificate, Cluster, Definition, Forge, Journal, Keys, KubeVela, Lease, Placement, REQUIRED, Review,
    Server, Source, Trouble, Version,
};
use tidegate::doctor::{Facts, Known, Line, PERMISSIONS, Unknown, examine};
use tidegate_delivery::upstream::DeliveryMode;
use tidegate_model::time::Timestamp;

/// The time of the checks.
const NOW: &str = "2026-11-22T12:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn trouble(why: &str, fix: &str) -> Trouble {
    Trouble { why: why.to_owned(), fix: fix.to_owned() }
}

fn lease(holder: &str, renewed: &str) -> Lease {
    Lease { name: "lock".to_owned(), holder: holder.to_owned(), renewed: Some(at(renewed)) }
}

fn version(name: &str, is_stored: bool, schema: &str) -> Version {
    Version { name: name.to_owned(), is_served: true, is_stored, schema: serde_json::json!({ "type": schema }) }
}

/// Returns what the checks see if everything is well.
fn well() -> Facts {
    let definitions = REQUIRED.iter().map(|required| {
        let versions = match required.version {
            Some(name) => vec![version(name, true, "a")],
            None => vec![version("v1alpha1", true, "a"), version("v1beta1", false, "b")],
        };
        Definition { name: required.name(), versions, has_webhook: required.version.is_none(), is_embedded: false }
    });
    let reviews = PERMISSIONS.iter().flat_map(|permission| {
        permission.resources.iter().flat_map(move |resource| {
            permission.verbs.iter().map(move |verb| Review { permission, resource, verb, is_allowed: true })
        })
    });
    let cluster = |n: usize| Cluster { name: format!("cluster{n}"), is_accepted: true, is_available: true };
    Facts {
        now: at(NOW),
        builtin_placement: false,
        delivery: DeliveryMode::Auto,
        events: true,
        configuration: Ok(()),
        hub: Ok(Server { address: "https://hub:6443".to_owned(), version: "v1.36.0".to_owned() }),
        skew: Ok(0),
        definitions: Ok(definitions.collect()),
        leases: Ok(vec![lease("cluster-manager-placement-controller-7d_1", "2026-11-22T11:59:00Z")]),
        gates: Ok(Some(Vec::new())),
        addons: Ok(vec![Addon { name: "hello".to_owned(), is_ours: true, has_template: true, is_upstream: false }]),
        placements: Ok(vec![Placement { name: "fleet/all".to_owned(), is_scheduled: true }]),
        reviews: Ok(reviews.collect()),
        grants: Ok(Vec::new()),
        foreign: Ok(Vec::new()),
        writers: Ok(Vec::new()),
        kubevela: Ok(KubeVela::default()),
        clusters: Ok((1..=300).map(cluster).collect()),
        certificates: Ok(vec![Certificate {
            of: "the client certificate".to_owned(),
            ends: Ok(at("2027-01-01T00:00:00Z")),
        }]),
        source: Ok(Source {
            address: "https://git/fleet.git".to_owned(),
            reference: "branch main".to_owned(),
            commit: Some("8f2e6b5ba99f".to_owned()),
        }),
        journal: Ok(Journal { branch: "tidegate/journal".to_owned(), exists: true, push: Ok(()) }),
        trusted_keys: Ok(Keys::Usable),
        signing_key: Ok(Keys::None),
        webhook_secrets: Ok(Keys::None),
        receivers: Ok(Keys::None),
        test_messages: None,
        forge: Ok(Forge::None),
    }
}

/// Returns a line by the name of its check.
fn found(facts: &Facts, check: &str) -> Line {
    examine(facts).into_iter().find(|line| line.check == check).unwrap_or_else(|| panic!("there is no check {check}"))
}

/// Returns lines as text, with what to do below.
fn shown(lines: impl IntoIterator<Item = Line>) -> String {
    let mut text = String::new();
    for Line { check, level, detail, fix } in lines {
        writeln!(text, "{level} {check}: {detail}").unwrap();
        if let Some(fix) = fix {
            writeln!(text, "    fix: {fix}").unwrap();
        }
    }
    text
}

fn unknown<T>() -> Known<T> {
    Err(Unknown::NoHub)
}
