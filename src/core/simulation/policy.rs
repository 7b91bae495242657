//! Random policies and control files.

use serde_json::{Value, json};
use tidegate_model::random::Random;

/// The files of a revision besides its objects.
pub(crate) type Files = Vec<(&'static str, Value)>;

/// Draws a field of a policy, or nothing.
fn field(random: &mut Random, spec: &mut Value, name: &str, of: &[Value]) {
    if random.chance(300)
        && let Some(value) = random.pick(of)
    {
        spec[name] = value.clone();
    }
}

/// Draws policies and control files. If they are mild, healthy clusters open all gates.
pub(crate) fn files(random: &mut Random, is_mild: bool) -> Files {
    let mut files = Files::new();
    for file in ["policy-0.yaml", "policy-1.yaml"] {
        if random.chance(400) {
            let name = file.trim_end_matches(".yaml");
            files.push((
                file,
                json!({
                    "apiVersion": "tidegate.io/v1alpha1", "kind": "RolloutPolicy", "metadata": { "name": name },
                    "spec": spec(random, is_mild),
                }),
            ));
        }
    }
    if !is_mild {
        files.push(("control/_fleet.yaml", control(random)));
    }
    files
}

fn spec(random: &mut Random, is_mild: bool) -> Value {
    let mut spec = json!({});
    let mut maybe = |name: &str, of: Value| field(random, &mut spec, name, of.as_array().map_or(&[], Vec::as_slice));
    maybe(
        "selector",
        json!([
            { "groups": ["canary"] }, { "clusters": { "matchLabels": { "region": "eu" } } }, { "placements": ["fleet/every*"] },
        ]),
    );
    maybe(
        "limits",
        json!([
            [{ "name": "l", "label": "region", "maxClusters": 1 }],
            [{ "name": "l", "label": "region", "maxValues": 1, "startsPerMinute": 2 }],
            [{ "name": "l", "maxClusters": 2 }, { "name": "r", "startsPerMinute": 3 }],
        ]),
    );
    maybe(
        "unreachable",
        json!([
            { "action": "Park" }, { "action": "Park", "soak": "20s" }, { "action": "Park", "maxShare": "34%" },
            { "action": "Park", "maxShare": 1 }, { "action": "Count" },
        ]),
    );
    maybe("membership", json!([{ "joining": "Tail" }, { "joining": "Hold" }, { "joining": "JoinGroup" }]));
    maybe(
        "onFailure",
        json!([
            { "action": "Halt" }, { "action": "Continue" }, { "action": "Rollback" },
            { "action": "Rollback", "maxConcurrency": 1, "underway": "Finish" },
        ]),
    );
    if !is_mild {
        maybe(
            "approvals",
            json!([
                [{ "name": "start", "of": ["bob"] }],
                [{ "name": "canaries", "of": ["bob"], "before": ["canary"] }],
            ]),
        );
        maybe("breakGlass", json!([{ "name": "glass", "of": ["bob"] }]));
        // They overlap, so that clusters in both of them start.
        maybe(
            "windows",
            json!([
                [{ "name": "w", "from": "12:01", "to": "12:02" }, { "name": "v", "from": "12:04", "to": "13:00" }],
                [{ "name": "w", "days": ["Mon-Sun"], "timeZone": "Europe/Berlin", "from": "13:00", "to": "13:59" }],
            ]),
        );
        maybe(
            "freezes",
            json!([
                [{ "name": "f", "from": "2026-03-01T11:00", "to": "2026-03-01T12:02" }],
                [{ "name": "f", "from": "2026-03-01T12:01", "to": "2026-03-01T12:03" }],
            ]),
        );
    }
    spec
}

fn control(random: &mut Random) -> Value {
    let mut control = json!({ "apiVersion": "tidegate.io/v1alpha1", "kind": "Control" });
    if random.chance(250) {
        let first = random.below(6);
        let clusters: Vec<String> = (first..=first + random.below(3)).map(|number| format!("c{number}")).collect();
        let mode = if random.chance(500) { "Exclude" } else { "Ignore" };
        control["quarantine"] = json!([{ "clusters": clusters, "mode": mode, "reason": "disk" }]);
    }
    if random.chance(100) {
        control["pause"] = json!({ "reason": "incident" });
    }
    control
}
