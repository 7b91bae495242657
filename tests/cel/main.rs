//! The expression language of cluster selectors.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod complaints;
mod costs;
mod limits;
mod named;
mod properties;
mod reads;
mod typed;
mod verdicts;

use serde_json::{Value, json};
use tidegate_cel::{Answer, Evaluator, Program, Scores};

/// One cluster with the scores `default` of `cpu` 10 and `memory` -5.
struct Example;

impl Scores for Example {
    fn find(&self, cluster: &str, name: &str) -> Option<Vec<(&str, i64)>> {
        (cluster == "c1" && name == "default").then(|| vec![("cpu", 10), ("memory", -5)])
    }
}

fn cluster() -> Value {
    json!({
        "metadata": { "name": "c1", "labels": { "env": "prod", "version": "1.30.6", "tags": "{\"gpu\": [1, 2.5]}" } },
        "spec": { "hubAcceptsClient": true, "leaseDurationSeconds": 60 },
        "status": {
            "version": { "kubernetes": "v1.30.6" },
            "allocatable": { "cpu": "3500m", "memory": "16Gi" },
            "clusterClaims": [{ "name": "region", "value": "eu-1" }, { "name": "id", "value": "7" }],
        },
    })
}

fn ask(text: &str) -> Answer {
    let program = Program::compile(text).unwrap_or_else(|refusal| panic!("{text}: {}", refusal.message));
    Evaluator::default().evaluate(&program, &cluster(), &Example)
}
