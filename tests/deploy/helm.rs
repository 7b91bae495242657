//! The same chart, rendered by Helm itself.

use std::process::Command;

use serde_json::{Value, json};

use super::chart::{documents, objects};

fn sorted(mut objects: Vec<Value>) -> Vec<Value> {
    objects.sort_by_key(|object| format!("{} {}", object["kind"], object["metadata"]["name"]));
    objects
}

#[test]
#[ignore = "needs helm; .ci/run runs it where helm is installed"]
fn helm_renders_the_same() {
    let directory = crate::scratch::tempdir();
    for changes in [
        json!({}),
        json!({ "delivery": "upstream", "config": "[webhook]\nlisten = \"0.0.0.0:8081\"\n", "webhook": { "port": 8081 }, "secrets": ["a"] }),
    ] {
        let values = directory.path().join("values.json");
        std::fs::write(&values, changes.to_string()).unwrap();
        let output = Command::new("helm")
            .args(["template", "tidegate", "deploy/chart/tidegate", "--namespace", "tidegate", "--values"])
            .arg(&values)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(sorted(documents(&String::from_utf8(output.stdout).unwrap())), sorted(objects(&changes)));
    }
}
