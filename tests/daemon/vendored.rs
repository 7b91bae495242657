//! A remote base with a chart is vendored, committed, validated and rolled out.

use std::collections::BTreeMap;

use serde_json::Value;

use super::world::World;
use crate::chart_archive::{archive, file};
use crate::cli::VendorWorld;

const ADDON: &str = "fleet/addons/hello-template/addon.yaml";

/// Returns the chart of the agent, with a ConfigMap.
fn chart() -> Vec<u8> {
    let template = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: hello-settings\n  namespace: \
                    open-cluster-management-agent-addon\ndata:\n  release: RELEASE\n  color: COLOR\n";
    archive(&[
        file("agent/Chart.yaml", b"apiVersion: v2\nname: agent\nversion: 5.0.0\n"),
        file("agent/values.yaml", b"color: red\n"),
        file("agent/templates/settings.yaml", template.as_bytes()),
    ])
}

/// Returns the example repository with an overlay that takes the newest template from another repository, vendored.
fn vendored(there: &VendorWorld) -> BTreeMap<String, Option<Vec<u8>>> {
    there.page("/charts/index.yaml", b"entries: {agent: [{version: 5.0.0, urls: [agent-5.0.0.tgz]}]}");
    there.page("/charts/agent-5.0.0.tgz", &chart());
    let example = crate::example_tree::tree().files;
    let text = |path: &str| String::from_utf8(example[path].clone()).unwrap();
    let template = text("fleet/addons/hello-template/template-0.4.1.yaml").replace("0.4.1", "0.5.0").replace(
        "\nspec:",
        &format!(
            "\n  annotations:\n    tidegate.io/chart: {}\n    tidegate.io/chart-version: ^5\nspec:",
            there.url("charts/agent")
        ),
    );
    there.write_remote("base/template.yaml", &template);
    there.write_remote("base/kustomization.yaml", "resources: [template.yaml]\n");
    there.commit("v5");
    for path in example.keys() {
        there.write(path, &text(path));
    }
    // Ends with the section `[prune]`.
    there.write("tidegate.toml", &(text("tidegate.toml") + "settle_seconds = 0\n"));
    there.write(ADDON, &text(ADDON).replace("hello-template-0.4.0", "hello-template-0.5.0"));
    let local: String =
        example.keys().filter_map(|path| path.strip_prefix("fleet/")).map(|path| format!("- {path}\n")).collect();
    there.write("fleet/kustomization.yaml", &format!("resources:\n- {}\n{local}", there.base("v5")));
    let before = there.session(&["validate", "."]);
    assert!(before.contains("is not vendored; run `tidegate vendor`") && before.contains("exit code 1"), "{before}");
    for arguments in [&["vendor"][..], &["vendor", "--check"], &["validate", "."]] {
        let shown = there.session(arguments);
        assert!(!shown.contains("exit code"), "{shown}");
    }
    there.files().into_iter().map(|(path, bytes)| (path, Some(bytes))).collect()
}

#[tokio::test(start_paused = true)]
async fn a_vendored_base_with_a_chart_is_rolled_out() {
    let there = VendorWorld::empty();
    let files = vendored(&there);
    // From here on, no server is needed.
    drop(there);
    let world = World::settled(20).await;
    let mut daemon = world.daemon("mirror.git").await;
    daemon.until_settled("0.4.0").await;
    let manifests = files.iter().find(|(path, _)| path.ends_with("/manifests.yaml")).unwrap().0.clone();
    world.commit("use the shared template", files);
    daemon.until_settled("0.5.0").await;
    let settings = async || {
        let work = world.work("aws-001", "hello-template").await.unwrap();
        let all: Vec<Value> = work["spec"]["workload"]["manifests"].as_array().unwrap().clone();
        all.into_iter().find(|object| object["metadata"]["name"] == "hello-settings").unwrap()["data"].clone()
    };
    assert_eq!(settings().await, serde_json::json!({ "release": "hello-template-0.5.0", "color": "red" }));

    // Someone edits the vendored output: the add-on stays as it is.
    world.edit(&manifests, "color: red", "color: black");
    daemon
        .until("the revision is held", |snapshot| {
            let reported = format!("{:?}", snapshot.report.addons["hello-template"]);
            reported.contains("was changed after it was vendored")
        })
        .await;
    assert_eq!(settings().await["color"], "red");
    daemon.end().await;
}
