//! No secret is in the journal, in what is written on a forge, or on a page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use tidegate_fake_forge::{Method, Verdict};
use tidegate_model::forge::ForgeKind;

use super::stage::Stage;
use super::trial::Trial;
use crate::files_below::files_below;
use crate::git_command::git;

const TEMPLATE: &str = "fleet/addons/hello-template/template-0.4.1.yaml";
/// The values of Secrets, before and after a change.
const VALUES: [&str; 2] = ["marked-password-one", "marked-password-two"];

/// Returns the manifest of a Secret in a template.
fn secret(value: &str) -> String {
    format!(
        "      manifests:\n        - apiVersion: v1\n          kind: Secret\n          metadata:\n            name: hello-key\n            \
         namespace: open-cluster-management-agent-addon\n          stringData:\n            password: {value}\n          data:\n            \
         key: {}\n",
        STANDARD.encode(value)
    )
}

/// Returns what must not be found: the values, as they are and encoded, and the token of the daemon.
fn marked(stage: &Stage) -> Vec<String> {
    let encoded = VALUES.iter().map(|value| STANDARD.encode(value));
    let plain = VALUES.iter().map(|value| (*value).to_owned());
    plain.chain(encoded).chain([stage.forge.token_of("tidegate")]).collect()
}

#[tokio::test(start_paused = true)]
async fn the_values_of_secrets_and_tokens_are_on_no_page() {
    let stage = Stage::new(ForgeKind::GitHub).await;
    let config = stage.over_http(stage.config());
    let mut trial = Trial::with(stage, config, &json!([{ "name": "review", "of": ["forge:bob"] }])).await;
    let (pull, _) = trial.stage.open("up");
    trial.stage.edit_on("up", TEMPLATE, "      manifests:\n", &secret(VALUES[0]));
    let plan = trial.until_comment(pull, "hello-key").await;
    trial.stage.forge.review("bob", pull, Verdict::Approve).unwrap();
    trial.stage.forge.merge("bob", pull, Method::Squash).unwrap();
    trial.until_settled().await;
    // Another value: the plan of the change has both.
    trial.stage.forge.add_branch("rotate").unwrap();
    trial.stage.edit_on("rotate", TEMPLATE, &secret(VALUES[0]), &secret(VALUES[1]));
    let rotation = trial.stage.forge.open_pull("ada", "rotate", "main", "Another password").unwrap();
    let changed = trial.until_comment(rotation, "hello-key").await;
    trial.until_journaled(&format!("pulls/{rotation}.yaml"), "hello-template").await;

    let (repository, page) = (trial.stage.world.repository(), trial.stage.world.path("page"));
    let written =
        crate::cli::tidegate(&["ui", "--source", repository.to_str().unwrap(), "--export", page.to_str().unwrap()]);
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let files = files_below(&page);
    // Every view reads the journal, so what is not there is in no answer for programs either.
    let journal = git(&repository, &["log", "--patch", "--text", "tidegate/journal"]);
    assert!(journal.contains("hello-key") && files.len() > 20, "{} files", files.len());
    for marked in marked(&trial.stage) {
        assert!(!plan.contains(&marked) && !changed.contains(&marked), "{marked} is in a comment: {plan}{changed}");
        assert!(!journal.contains(&marked), "{marked} is in the journal");
        let found = files.iter().find(|(_, bytes)| String::from_utf8_lossy(bytes).contains(&marked));
        assert!(found.is_none(), "{marked} is on {:?}", found.map(|(path, _)| path));
    }
    trial.ends().await;
}
