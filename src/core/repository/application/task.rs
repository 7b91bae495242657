//! Components whose pods end: `task` and `cron-task`.
//!
//! # Source
//! KubeVela's definitions of these types.

use serde_json::{Map, Value, json};

use super::parsed::{present, set};
use super::pod;
use super::schema::{at_least, flag, one_of, text};
use super::volume;
use tidegate_go::canonical::spec_hash;

/// How many digits the name of a Job ends with.
const DIGITS: usize = 8;

/// Returns the schema of the properties of a `task`.
pub(super) fn schema() -> Value {
    let mut schema = pod::base();
    let more =
        [("count", at_least(1)), ("restart", one_of(&["Never", "OnFailure"])), ("volumes", volume::list_schema())];
    for (member, of_member) in more {
        schema["properties"][member] = of_member;
    }
    schema
}

/// Returns the schema of the properties of a `cron-task`: those of a task, and when it runs.
pub(super) fn cron_schema() -> Value {
    let schedule = json!({
        "type": "string",
        "pattern": r"^(@(yearly|annually|monthly|weekly|daily|midnight|hourly)|@every [0-9a-z.]+|[^@\s=]\S*(\s+\S+){4})$",
    });
    let mut schema = schema();
    schema["required"] = json!(["image", "schedule"]);
    let more = [
        ("schedule", schedule),
        ("timeZone", text()),
        ("suspend", flag()),
        ("concurrencyPolicy", one_of(&["Allow", "Forbid", "Replace"])),
        ("successfulJobsHistoryLimit", at_least(0)),
        ("failedJobsHistoryLimit", at_least(0)),
        ("startingDeadlineSeconds", at_least(0)),
        ("backoffLimit", at_least(0)),
        ("ttlSecondsAfterFinished", at_least(0)),
        ("activeDeadlineSeconds", at_least(1)),
        ("volumeMounts", volume::mounts_schema()),
        ("hostAliases", volume::host_aliases()),
    ];
    for (member, of_member) in more {
        schema["properties"][member] = of_member;
    }
    schema
}

/// Returns the Job of a component. Its name is not complete before the traits have been applied; see [`rename`].
pub(super) fn job(name: &str, properties: &Map<String, Value>) -> Value {
    let spec = spec(name, properties);
    json!({ "apiVersion": "batch/v1", "kind": "Job", "metadata": { "name": name }, "spec": spec })
}

/// Adds digits to the name of a Job that depend on what it runs. A Job cannot be changed, so that another one has to run what is new.
pub(super) fn rename(job: &mut Value) {
    let Some(name) = job.pointer("/metadata/name").and_then(Value::as_str) else { return };
    let digits: String = spec_hash(job).chars().take(DIGITS).collect();
    let name = format!("{name}-{digits}");
    set(job, &["metadata", "name"], json!(name));
}

/// Returns the specification of the Job of a task.
fn spec(name: &str, properties: &Map<String, Value>) -> Value {
    let count = properties.get("count").cloned().unwrap_or_else(|| json!(1));
    let mut template = pod::template(name, properties, &[]);
    let restart = properties.get("restart").cloned().unwrap_or_else(|| json!("Never"));
    set(&mut template, &["spec", "restartPolicy"], restart);
    json!({ "parallelism": count, "completions": count, "template": template })
}

/// Returns the CronJob of a component.
pub(super) fn cron_job(name: &str, properties: &Map<String, Value>) -> Value {
    let given = |member: &str| properties.get(member).cloned();
    let or = |member: &str, default: Value| Some(given(member).unwrap_or(default));
    let mut spec = spec(name, properties);
    let limits = [
        ("backoffLimit", or("backoffLimit", json!(6))),
        ("ttlSecondsAfterFinished", given("ttlSecondsAfterFinished")),
        ("activeDeadlineSeconds", given("activeDeadlineSeconds")),
    ];
    for (member, limit) in limits {
        if let Some(limit) = limit {
            set(&mut spec, &[member], limit);
        }
    }
    let metadata = spec.pointer("/template/metadata").cloned();
    let spec = present([
        ("schedule", given("schedule")),
        ("timeZone", given("timeZone")),
        ("concurrencyPolicy", or("concurrencyPolicy", json!("Allow"))),
        ("suspend", or("suspend", json!(false))),
        ("successfulJobsHistoryLimit", or("successfulJobsHistoryLimit", json!(3))),
        ("failedJobsHistoryLimit", or("failedJobsHistoryLimit", json!(1))),
        ("startingDeadlineSeconds", given("startingDeadlineSeconds")),
        ("jobTemplate", Some(present([("metadata", metadata), ("spec", Some(spec))]))),
    ]);
    json!({ "apiVersion": "batch/v1", "kind": "CronJob", "metadata": { "name": name }, "spec": spec })
}
