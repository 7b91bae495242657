//! Recorded answers, compared with those of the sandbox.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde_json::{Value, json};
use tidegate_fake_forge::Verdict;
use tidegate_model::forge::ForgeKind;

use super::support::Stage;

const RECORDED: &str = include_str!("../vectors/forge/answers.jsonl");

/// Answers the call of a recorded line on a forge with a reviewed pull request.
async fn answer(stage: &Stage, kind: ForgeKind, call: &str, number: u64, head: &str) -> Value {
    let root = if kind == ForgeKind::GitLab { "/projects/platform%2Ffleet" } else { "/repos/platform/fleet" };
    let pull = match kind {
        ForgeKind::GitLab => format!("{root}/merge_requests/{number}"),
        ForgeKind::GitHub | ForgeKind::Gitea => format!("{root}/pulls/{number}"),
    };
    let statuses = format!("{root}/statuses/{head}");
    let state = if kind == ForgeKind::GitLab { "running" } else { "pending" };
    let status = |description: &str| {
        json!({
            "state": state, "context": "tidegate/plan", "description": description, "target_url": "https://example.com",
        })
    };
    let answer = match call {
        "pulls" => stage.get("eve", &format!("{root}/pulls?state=open")).await,
        "reviews" | "versions" | "approvals" => stage.get("ada", &format!("{pull}/{call}")).await,
        "notes" => {
            stage.forge.comment("tidegate", number, "Plan").unwrap();
            stage.get("eve", &format!("{pull}/notes")).await
        }
        "post status" => stage.post("tidegate", &statuses, status("planning")).await,
        "post status again" => {
            stage.post("tidegate", &statuses, status("planning")).await;
            stage.post("tidegate", &statuses, status("planning")).await
        }
        "post long status" => stage.post("tidegate", &statuses, status(&"x".repeat(141))).await,
        "post comment" => {
            stage.post("tidegate", &format!("{root}/issues/{number}/comments"), json!({ "body": "Plan" })).await
        }
        "approve own" => stage.post("ada", &format!("{pull}/reviews"), json!({ "event": "APPROVED" })).await,
        other => unreachable!("{other}"),
    };
    answer.body
}

/// Returns where two values differ.
fn differences(recorded: &Value, answered: &Value, compare: &str, at: &str) -> Vec<String> {
    match (recorded, answered) {
        (Value::Object(recorded), Value::Object(answered)) => {
            let missing = |name: &String| format!("{at}/{name} is missing");
            let mut found = Vec::new();
            for (name, value) in recorded {
                match answered.get(name) {
                    None => found.push(missing(name)),
                    Some(other) => found.extend(differences(value, other, compare, &format!("{at}/{name}"))),
                }
            }
            // Only the outermost object has no other fields: the accounts inside have more.
            if compare == "exactly" && at.is_empty() {
                let added = answered.keys().filter(|name| !recorded.contains_key(*name));
                found.extend(added.map(|name| format!("{at}/{name} is not recorded")));
            }
            found
        }
        (Value::Array(recorded), Value::Array(answered)) => {
            let pairs = recorded.iter().zip(answered);
            let mut found: Vec<String> =
                pairs.flat_map(|(one, other)| differences(one, other, compare, &format!("{at}/-"))).collect();
            if answered.len() < recorded.len() {
                found.push(format!("{at} has too few items"));
            }
            found
        }
        (Value::Null, _) => Vec::new(),
        (one, other) if compare == "contains" && one != other => vec![format!("{at} is {other}, and not {one}")],
        (one, other) if std::mem::discriminant(one) != std::mem::discriminant(other) => {
            vec![format!("{at} is {other}, and of another type than {one}")]
        }
        _ => Vec::new(),
    }
}

#[tokio::test]
async fn answers_have_the_recorded_fields() {
    let mut found = Vec::new();
    let mut stages = BTreeMap::new();
    for (index, line) in RECORDED.lines().enumerate() {
        let recorded: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| recorded[name].as_str().unwrap();
        let kind: ForgeKind = text("forge").parse().unwrap();
        if let Entry::Vacant(vacant) = stages.entry(kind) {
            vacant.insert(Stage::new(kind).await);
        }
        let stage = &stages[&kind];
        let (number, head) = stage.pull(&format!("up-{index}")).await;
        stage.forge.review("bob", number, Verdict::Approve).unwrap();
        let answered = answer(stage, kind, text("call"), number, &head).await;
        let differences = differences(&recorded["answer"], &answered, text("compare"), "");
        found.extend(differences.iter().map(|one| format!("{kind} {}: {one}", text("call"))));
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}
