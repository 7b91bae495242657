//! What the daemon makes of the settings in the manifests.

use std::fs;

use serde_json::{Value, json};

use super::chart::objects;
use crate::cli::program;
use crate::scratch::tempdir;

/// Returns the container of the daemon, and its settings in TOML.
fn container(changes: &Value) -> (Value, String) {
    let objects = objects(changes);
    let of = |kind: &str| objects.iter().find(|object| object["kind"] == kind).unwrap();
    let settings = of("ConfigMap")["data"]["tidegate.toml"].as_str().unwrap().to_owned();
    (of("Deployment")["spec"]["template"]["spec"]["containers"][0].clone(), settings)
}

#[test]
fn the_program_knows_every_variable() {
    let (container, _) = container(&json!({}));
    let help = String::from_utf8(program().args(["run", "--help"]).output().unwrap().stdout).unwrap();
    for variable in container["env"].as_array().unwrap() {
        let name = variable["name"].as_str().unwrap();
        assert!(help.contains(&format!("[env: {name}=]")), "{name}");
    }
}

#[test]
fn the_program_starts_with_the_arguments_and_the_settings() {
    let config = "[source]\npoll = \"30s\"\n[webhook]\nlisten = \"127.0.0.1:0\"\nsecret_file = \"secret\"\n";
    for delivery in ["auto", "native", "upstream"] {
        let (container, settings) =
            container(&json!({ "delivery": delivery, "config": config, "webhook": { "port": 8081 } }));
        let directory = tempdir();
        fs::write(directory.path().join("tidegate.toml"), settings).unwrap();
        fs::write(directory.path().join("secret"), "secret").unwrap();
        let mut command = program();
        for argument in container["args"].as_array().unwrap() {
            command.arg(argument.as_str().unwrap().replace("0.0.0.0:8080", "127.0.0.1:0"));
        }
        for variable in container["env"].as_array().unwrap() {
            command.env(variable["name"].as_str().unwrap(), variable["value"].as_str().unwrap());
        }
        command.env("TIDEGATE_CONFIG", directory.path().join("tidegate.toml"));
        // It gets as far as the hub, which is not there.
        command.args(["--kubeconfig", "missing"]).current_dir(directory.path());
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("missing"), "{delivery}: {error}");
        assert_eq!(output.status.code(), Some(2), "{delivery}: {error}");
    }
}
