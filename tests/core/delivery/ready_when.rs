//! Conditions of objects of applications: what is asked of an agent, and what counts as evidence.

use serde_json::{Value, json};
use tidegate_delivery::{
    Evidence, ReadyWhen, Template, WorkOwner, cause, condition_rule, doubt, fields, generations, links,
};
use tidegate_model::name::ApplicationName;

use super::builders::{Existing, cluster, cluster1, existing, template};
use super::health::condition;

const RUNNING: &str = "object.status.phase == 'Running'";

fn owner() -> WorkOwner {
    let name: ApplicationName = "application/n/shop".to_owned().try_into().unwrap();
    WorkOwner { prefix: "app-shop-".to_owned(), ..WorkOwner::application(&name, "0") }
}

/// An object of a kind that nothing is known about, with these conditions.
fn cache(conditions: &[&str]) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Cache",
        "metadata": {
            "name": "w", "namespace": "n",
            "annotations": { "tidegate.io/ready-when": json!(conditions).to_string() },
        },
    })
}

fn deployment(conditions: &[&str], replicas: u8) -> Value {
    let mut object = cache(conditions);
    object["apiVersion"] = json!("apps/v1");
    object["kind"] = json!("Deployment");
    object["spec"] = json!({ "replicas": replicas });
    object
}

/// A value as an agent reports it.
fn value(name: &str, value: &Value) -> Value {
    let (type_, member) = match value {
        Value::String(_) => ("String", "string"),
        Value::Bool(_) => ("Boolean", "boolean"),
        _ => ("Integer", "integer"),
    };
    json!({ "name": name, "fieldValue": { "type": type_, member: value } })
}

/// Returns the work with an object, and with what a cluster reports of it.
fn reported(object: &Value, values: &[Value]) -> Existing {
    let (group, _) = object["apiVersion"].as_str().unwrap().split_once('/').unwrap();
    let kind = object["kind"].as_str().unwrap();
    let report = json!({
        "resourceMeta": {
            "ordinal": 0, "group": group, "kind": kind, "resource": format!("{}s", kind.to_lowercase()), "name": "w",
            "namespace": "n",
        },
        "statusFeedback": { "values": values },
        "conditions": [condition("Applied", "True"), condition("Available", "True")],
    });
    [existing(json!({
        "metadata": {
            "name": "app-shop-0", "namespace": "cluster1", "generation": 1,
            "annotations": { "tidegate.io/unit": "application/n/shop" },
        },
        "spec": { "workload": { "manifests": [object] } },
        "status": {
            "conditions": [condition("Applied", "True"), condition("Available", "True")],
            "resourceStatus": { "manifests": [report] },
        },
    }))]
    .into()
}

/// Judges an object by what a cluster reports of it. The doubt, the cause and the chain agree.
fn judged(object: &Value, values: &[Value]) -> String {
    let works = reported(object, values);
    let rendered = Template::plain(&template(json!([object]), Value::Null)).unwrap().render(&cluster1()).unwrap();
    let (owner, cluster) = (owner(), cluster(json!({ "name": "cluster1" }), json!({})));
    let evidence = Evidence {
        owner: &owner,
        cluster: &cluster,
        works: &works,
        probes: &rendered.probes,
        conditioned: &rendered.conditioned,
        has_manifest_applied: true,
    };
    let found = doubt(&evidence);
    let cause = cause(&owner, &cluster, &works).map(|cause| cause.to_string());
    let link = &links(&works["app-shop-0"])[2];
    if !values.is_empty() {
        assert_eq!(found.is_some(), cause.is_some(), "{found:?} {cause:?}");
        assert_eq!(found.is_some(), format!("{:?}", link.holds) == "No", "{found:?} {link:?}");
    }
    found.unwrap_or_else(|| "-".to_owned())
}

/// What is reported of every object with conditions.
fn generation(generation: u8, processed: u8) -> [Value; 3] {
    [
        value("TidegateUid", &json!("u-1")),
        value("TidegateGeneration", &json!(generation)),
        value("TidegateObservedGeneration", &json!(processed)),
    ]
}

/// Judges an object of generation 2 with one condition by these values.
fn of(condition: &str, values: &[(&str, Value)]) -> String {
    let values = values.iter().map(|(name, given)| value(&format!("TidegateReady{name}"), given));
    judged(&cache(&[condition]), &generation(2, 2).into_iter().chain(values).collect::<Vec<_>>())
}

#[test]
fn an_object_is_ready_when_all_its_conditions_hold_for_what_is_reported() {
    insta::assert_snapshot!(of(RUNNING, &[(".status.phase", json!("Running"))]), @"-");
    insta::assert_snapshot!(
        of(RUNNING, &[(".status.phase", json!("Pending"))]),
        @"caches n/w is not ready: object.status.phase == 'Running' is not true"
    );
    let replicas = "object.status.ready == object.spec.replicas";
    insta::assert_snapshot!(of(replicas, &[(".status.ready", json!(2)), (".spec.replicas", json!(2))]), @"-");
    insta::assert_snapshot!(
        of(replicas, &[(".spec.replicas", json!(2))]),
        @"caches n/w is not ready: the cluster does not report .status.ready, which object.status.ready == object.spec.replicas reads"
    );
    insta::assert_snapshot!(of("object.status.on", &[(".status.on", json!(true))]), @"-");
    let both = cache(&[RUNNING, "object.status.on"]);
    let values = [value("TidegateReady.status.phase", &json!("Running"))];
    insta::assert_snapshot!(
        judged(&both, &[&generation(1, 1)[..], &values].concat()),
        @"caches n/w is not ready: the cluster does not report .status.on, which object.status.on reads"
    );
}

#[test]
fn a_field_that_is_absent_may_be_asked_for() {
    insta::assert_snapshot!(of("!has(object.status.error)", &[]), @"-");
    insta::assert_snapshot!(
        of("!has(object.status.error)", &[(".status.error", json!("disk full"))]),
        @"caches n/w is not ready: !has(object.status.error) is not true"
    );
    insta::assert_snapshot!(of("object.?status.?failed.orValue(0) == 0", &[]), @"-");
}

#[test]
fn a_map_that_a_condition_asks_for_is_there_only_if_it_is_reported() {
    let both = "has(object.status) && !has(object.status.error)";
    insta::assert_snapshot!(
        of(both, &[]),
        @"caches n/w is not ready: the cluster does not report .status, which has(object.status) && !has(object.status.error) reads"
    );
    insta::assert_snapshot!(of(both, &[(".status.error", json!("disk full"))]), @"caches n/w is not ready: the cluster does not report .status, which has(object.status) && !has(object.status.error) reads");
    let raw = json!({ "name": "TidegateReady.status", "fieldValue": { "type": "JsonRaw", "jsonRaw": r#"{"phase":"Running"}"# } });
    insta::assert_snapshot!(judged(&cache(&[both]), &[&generation(1, 1)[..], &[raw]].concat()), @"-");
}

#[test]
fn an_old_report_proves_nothing() {
    let running = value("TidegateReady.status.phase", &json!("Running"));
    let [uid, generation_2, processed_1] = generation(2, 1);
    let judge = |values: &[Value]| judged(&cache(&[RUNNING]), values);
    insta::assert_snapshot!(judge(&[]), @"the cluster reports nothing about caches n/w");
    insta::assert_snapshot!(
        judge(std::slice::from_ref(&running)),
        @"the cluster does not report the fields of caches n/w that its conditions read"
    );
    insta::assert_snapshot!(
        judge(&[uid.clone(), generation_2.clone(), processed_1, running.clone()]),
        @"caches n/w is being updated: its controller has not processed generation 2"
    );
    // A kind without an observed generation.
    insta::assert_snapshot!(judge(&[uid.clone(), generation_2, running.clone()]), @"-");
    // And one without any generation.
    insta::assert_snapshot!(judge(&[uid, running]), @"-");
    let object = cache(&[RUNNING]);
    let works = reported(&object, &generation(7, 7));
    let rendered = Template::plain(&template(json!([object]), Value::Null)).unwrap().render(&cluster1()).unwrap();
    let evidence = Evidence {
        owner: &owner(),
        cluster: &cluster1(),
        works: &works,
        probes: &rendered.probes,
        conditioned: &rendered.conditioned,
        has_manifest_applied: true,
    };
    assert_eq!(generations(&evidence), [("caches n/w".to_owned(), 7)].into());
}

#[test]
fn an_agent_that_lies_about_types_proves_nothing() {
    let field = |given: Value| {
        let given = json!({ "name": "TidegateReady.status.phase", "fieldValue": given });
        judged(&cache(&[RUNNING]), &[&generation(1, 1)[..], &[given]].concat())
    };
    let wrong = "the report of the cluster on caches n/w cannot be read: .status.phase has another type";
    let lies = [
        json!({ "type": "Integer", "string": "Running" }),
        json!({ "type": "String", "string": "Running", "integer": 1 }),
        json!({ "type": "String" }),
        json!({ "type": "Strange", "string": "Running" }),
        json!({ "type": "JsonRaw", "jsonRaw": "\"Running" }),
        json!({ "type": "JsonRaw", "jsonRaw": "[".repeat(1_000) }),
        json!({ "type": "JsonRaw", "jsonRaw": format!("{}\"Running\"", " ".repeat(1_024)) }),
    ];
    for lie in lies {
        assert_eq!(field(lie.clone()), wrong, "{lie}");
    }
    assert_eq!(field(json!({ "type": "JsonRaw", "jsonRaw": "\"Running\"" })), "-");
    let odd = [
        value("TidegateUid", &json!("u-1")),
        value("TidegateGeneration", &json!("two")),
        value("TidegateReady.status.phase", &json!("Running")),
    ];
    insta::assert_snapshot!(
        judged(&cache(&[RUNNING]), &odd),
        @"the report of the cluster on caches n/w cannot be read: its generation has another type"
    );
    insta::assert_snapshot!(
        of("object.status.ready > 1", &[(".status.ready", json!("2"))]),
        @"caches n/w is not ready: object.status.ready > 1 fails, for example because it uses a value of the wrong type or divides by zero"
    );
    insta::assert_snapshot!(
        of("object.status.on", &[(".status.on", json!("true"))]),
        @"caches n/w is not ready: object.status.on gives neither true nor false"
    );
    // A field below a field that is no map.
    let both = "object.status == 'x' || object.status.on";
    insta::assert_snapshot!(
        of(both, &[(".status", json!("y")), (".status.on", json!(true))]),
        @r#"caches n/w is not ready: object.status == 'x' || object.status.on reads "on", which does not exist"#
    );
}

#[test]
fn a_workload_has_to_be_ready_by_its_kind_as_well() {
    let replicas = |ready: u8| {
        [("ReadyReplicas", ready), ("Replicas", 2), ("TidegateDesiredReplicas", 2), ("TidegateUpdatedReplicas", 2)]
            .map(|(name, number)| value(name, &json!(number)))
    };
    let phase = |phase: &str| [value("TidegateReady.status.phase", &json!(phase))];
    let judge = |replicas: &[Value], phase: &[Value]| {
        judged(&deployment(&[RUNNING], 2), &[&generation(1, 1)[..], replicas, phase].concat())
    };
    insta::assert_snapshot!(judge(&replicas(2), &phase("Running")), @"-");
    insta::assert_snapshot!(judge(&replicas(1), &phase("Running")), @"1 of 2 replicas of deployments n/w are ready");
    insta::assert_snapshot!(
        judge(&replicas(2), &phase("Pending")),
        @"deployments n/w is not ready: object.status.phase == 'Running' is not true"
    );
    // One without replicas is judged by its conditions alone.
    let idle = |phase: &[Value]| {
        let values = [&generation(1, 1)[..], &[value("TidegateDesiredReplicas", &json!(0))], phase].concat();
        judged(&deployment(&[RUNNING], 0), &values)
    };
    insta::assert_snapshot!(idle(&phase("Running")), @"-");
    insta::assert_snapshot!(
        idle(&phase("Pending")),
        @"deployments n/w is not ready: object.status.phase == 'Running' is not true"
    );
}

#[test]
fn an_agent_is_asked_for_the_fields_that_conditions_read() {
    let text = json!([RUNNING, "object.metadata.labels['example.com/tier'] == object.spec.tier"]).to_string();
    let rule = serde_json::to_value(condition_rule(&ReadyWhen::read(&text).unwrap())).unwrap();
    let paths: Vec<String> = rule["jsonPaths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| format!("{} {}", path["name"].as_str().unwrap(), path["path"].as_str().unwrap()))
        .collect();
    let asked = [
        "TidegateGeneration .metadata.generation",
        "TidegateObservedGeneration .status.observedGeneration",
        "TidegateUid .metadata.uid",
        r"TidegateReady.metadata.labels.example\.com/tier .metadata.labels.example\.com/tier",
        "TidegateReady.spec.tier .spec.tier",
        "TidegateReady.status.phase .status.phase",
    ];
    assert_eq!(paths, asked);
    let tiers = [(r".metadata.labels.example\.com/tier", json!("a")), (".spec.tier", json!("a"))];
    assert_eq!(of("object.metadata.labels['example.com/tier'] == object.spec.tier", &tiers), "-");
}

#[test]
fn conditions_that_cannot_be_judged_are_refused() {
    let refused = |annotation: &str| ReadyWhen::read(annotation).unwrap_err().to_string();
    insta::assert_snapshot!(refused("object.status.on"), @"is no list of expressions in JSON");
    insta::assert_snapshot!(refused("[]"), @"has 0 conditions; at most 10 are judged");
    insta::assert_snapshot!(refused(r#"["object.spec.on",1]"#), @"is no list of expressions in JSON");
    insta::assert_snapshot!(
        refused(r#"["object.status."]"#),
        @"has the condition object.status., which cannot be judged: Syntax error: no viable alternative at input '.'"
    );
    insta::assert_snapshot!(
        refused(r#"["'Running'"]"#),
        @"has the condition 'Running', which cannot be judged: it is never true"
    );
    let many: Vec<String> = (0..21).map(|field| format!("object.spec.f{field}")).collect();
    insta::assert_snapshot!(
        refused(&json!([many.join(" && ")]).to_string()),
        @"has conditions that read 21 fields; at most 20 are reported"
    );
    insta::assert_snapshot!(
        fields("object.spec['a b'] == 1").unwrap_err(),
        @r#"it reads the field "spec.a b", whose name an agent does not understand"#
    );
    insta::assert_snapshot!(
        fields("object.status.conditions[0].ok").unwrap_err(),
        @"it reads an item of a list, at 1:28 of the expression"
    );
}
