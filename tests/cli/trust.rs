//! `tidegate trust`: the ways onto a cluster, and the guards that are off.

use std::fs;

use super::{text, tidegate};
use crate::scratch::tempdir;

const POLICY: &str = "apiVersion: tidegate.io/v1alpha1
kind: RolloutPolicy
metadata: {name: production}
spec:
  selector: {addOns: [hello-template]}
  approvals:
  - {name: production, count: 2, of: [sre], byAuthor: true}
";

fn trust(arguments: &[&str]) -> String {
    let output = tidegate(&[&["trust"], arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn a_repository_without_policies_shows_that_nothing_guards_it() {
    insta::assert_snapshot!("trust_of_the_example", trust(&["examples-repo"]));
}

#[test]
fn the_policies_of_the_repository_and_the_words_of_the_operator_are_shown() {
    let directory = tempdir();
    let repository = directory.path().join("repository");
    for (path, bytes) in crate::example_tree::tree().files {
        let path = repository.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    fs::write(repository.join("fleet/policy.yaml"), POLICY).unwrap();
    let settings = fs::read_to_string(repository.join("tidegate.toml")).unwrap();
    let people = "\n[people]\nsre = [\"ada\", \"bob\"]\nada = [\"ada@example.com\"]\nbob = [\"bob@example.com\"]\n";
    fs::write(repository.join("tidegate.toml"), settings + people).unwrap();
    let config = directory.path().join("daemon.toml");
    fs::write(&config, "[verify]\nrewrites = \"refuse\"\n\n[policies]\ndelay = \"24h\"\n").unwrap();
    let (repository, config) = (repository.to_str().unwrap(), config.to_str().unwrap());
    insta::assert_snapshot!("trust_with_policies", trust(&[repository, "--config", config]));
    let found: serde_json::Value =
        serde_json::from_str(&trust(&[repository, "--config", config, "-o", "json"])).unwrap();
    assert_eq!(found["ways"][0]["guards"].as_array().unwrap().len(), 1, "{found:#}");
    assert!(found["off"].as_array().unwrap().iter().any(|guard| guard["guard"] == "approvals of new add-ons"));
}
