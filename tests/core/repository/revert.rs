//! Tests of taking an add-on back: which files change, and when that is refused.

use tidegate_model::name::UnitName;
use tidegate_model::tree::Tree;
use tidegate_repository::load;
use tidegate_repository::revert::{Files, Refusal, Request, revert};

use super::fixture::{edit, good, plain_kinds, tree, with};

fn hello() -> UnitName {
    "hello".parse().unwrap()
}

/// Takes `hello` back from one tree to another.
fn back(tip: &Tree, past: &Tree, path: &str) -> Result<Files, Refusal> {
    let digest = load(past, path).repository.digest(&hello()).unwrap().clone();
    let found = revert(&Request { tip, past, path, operator: &plain_kinds(), addon: &hello(), digest: &digest });
    if let Ok(files) = &found {
        let mut after = tip.clone();
        for (file, bytes) in files {
            match bytes {
                Some(bytes) => drop(after.files.insert(file.clone(), bytes.clone())),
                None => drop(after.files.remove(file)),
            }
        }
        let (before, after) = (load(tip, path).repository, load(&after, path).repository);
        assert_eq!(after.digest(&hello()), Some(&digest));
        assert_eq!(before.digest(&"other".parse().unwrap()), after.digest(&"other".parse().unwrap()));
    }
    found
}

fn changed(found: Result<Files, Refusal>) -> Vec<String> {
    found.unwrap().into_keys().collect()
}

#[test]
fn only_the_files_of_the_addon_change_back() {
    let mut tip = good();
    edit(&mut tip, "config.yaml", "value: '4'", "value: '5'");
    edit(&mut tip, "addon.yaml", "maxConcurrency: 25%", "maxConcurrency: 50%");
    edit(&mut tip, "other.yaml", "metadata:\n", "metadata:\n  # changed\n");
    edit(&mut tip, "plain.yaml", "tier: canary", "tier: rest");
    tip.files.insert("control/hello.yaml".to_owned(), b"apiVersion: tidegate.io/v1alpha1\nkind: Control\n".into());
    assert_eq!(changed(back(&tip, &good(), "")), ["addon.yaml", "config.yaml"]);
}

#[test]
fn files_that_were_added_or_removed_change_back() {
    let mut tip = good();
    edit(&mut tip, "addon.yaml", "name: hello-1", "name: hello-2");
    let template = String::from_utf8(tip.files.remove("template.yaml").unwrap()).unwrap();
    tip.files.insert("template-2.yaml".to_owned(), template.replace("hello-1", "hello-2").into_bytes());
    let files = back(&tip, &good(), "").unwrap();
    assert_eq!(files.keys().collect::<Vec<_>>(), ["addon.yaml", "template-2.yaml", "template.yaml"]);
    assert_eq!(files["template-2.yaml"], None);
}

#[test]
fn an_overlay_is_taken_back_by_the_files_that_matter() {
    let overlay = |patch: &str, unrelated: &str| {
        let mut files = good();
        files.files = files.files.into_iter().map(|(path, bytes)| (format!("base/{path}"), bytes)).collect();
        let resources: Vec<&str> = files.files.keys().map(|path| path.trim_start_matches("base/")).collect();
        let base = format!("resources: [{}]\n", resources.join(", "));
        let patches = "resources: [../base]\npatches:\n- path: patch.yaml\n- path: labels.yaml\n";
        let more = tree(&[
            ("base/kustomization.yaml", &base),
            ("prod/kustomization.yaml", patches),
            (
                "prod/patch.yaml",
                &format!(
                    "apiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnDeploymentConfig\nmetadata: {{name: hello-config, namespace: fleet}}\nspec:\n  customizedVariables:\n  - {{name: LOG_LEVEL, value: '{patch}'}}\n"
                ),
            ),
            (
                "prod/labels.yaml",
                &format!("apiVersion: v1\nkind: Namespace\nmetadata: {{name: fleet, labels: {{a: {unrelated}}}}}\n"),
            ),
            ("README.md", unrelated),
        ]);
        files.files.extend(more.files);
        files
    };
    assert_eq!(changed(back(&overlay("7", "x"), &overlay("6", "y"), "prod")), ["prod/patch.yaml"]);
}

#[test]
fn what_others_share_is_not_changed() {
    let mut tip = good();
    edit(&mut tip, "placement.yaml", "  clusterSets: [global]", "  numberOfClusters: 3\n  clusterSets: [global]");
    let refused = back(&tip, &good(), "").unwrap_err().to_string();
    assert_eq!(
        refused,
        "hello shares files or objects with others, which would change too: add-on other; change placement.yaml by hand"
    );
    // An object of no add-on in the same file counts too.
    let plain = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: shop}\ndata: {a: '1'}\n";
    let mut past = good();
    past.files.get_mut("config.yaml").unwrap().extend_from_slice(plain.as_bytes());
    let mut tip = past.clone();
    edit(&mut tip, "config.yaml", "value: '4'", "value: '5'");
    edit(&mut tip, "config.yaml", "a: '1'", "a: '2'");
    let refused = back(&tip, &past, "").unwrap_err().to_string();
    assert!(refused.contains("would change too: ConfigMap shop/x; change config.yaml by hand"), "{refused}");
}

#[test]
fn a_digest_that_cannot_be_reached_is_refused_with_the_reason() {
    let past = with("tidegate.toml", "[rollout]\nsoak_dip = \"fail\"\n");
    let mut tip = good();
    edit(&mut tip, "config.yaml", "value: '4'", "value: '5'");
    let refused = back(&tip, &past, "").unwrap_err();
    assert!(matches!(refused, Refusal::Settings { .. }), "{refused}");
    let refused = back(&good(), &good(), "").unwrap_err();
    assert!(matches!(refused, Refusal::Same { .. }), "{refused}");
    let digest = load(&tip, "").repository.digest(&hello()).unwrap().clone();
    let (empty, good) = (Tree::default(), good());
    for past in [&empty, &good] {
        let request =
            Request { tip: &good, past, path: "", operator: &plain_kinds(), addon: &hello(), digest: &digest };
        assert!(matches!(revert(&request), Err(Refusal::Reading { .. })));
    }
}

#[test]
fn an_addon_that_is_blocked_now_can_be_taken_back() {
    let mut tip = good();
    edit(&mut tip, "addon.yaml", "displayName", "dispName");
    assert_eq!(changed(back(&tip, &good(), "")), ["addon.yaml"]);
    // Other errors stay what they are.
    edit(&mut tip, "other.yaml", "type: Placements", "type: Placement");
    assert_eq!(changed(back(&tip, &good(), "")), ["addon.yaml"]);
}

#[test]
fn a_configuration_that_another_addon_uses_stays() {
    let mut tip = good();
    let config = String::from_utf8(tip.files.remove("config.yaml").unwrap()).unwrap();
    tip.files.insert("config-2.yaml".to_owned(), config.replace("hello-config", "hello-config-2").into_bytes());
    edit(&mut tip, "addon.yaml", "name: hello-config", "name: hello-config-2");
    edit(&mut tip, "override.yaml", "name: hello-config", "name: hello-config-2");
    let uses = "spec:\n  defaultConfigs:\n    - group: addon.open-cluster-management.io\n      resource: addondeploymentconfigs\n      namespace: fleet\n      name: hello-config-2\n";
    edit(&mut tip, "other.yaml", "spec:\n", uses);
    assert_eq!(changed(back(&tip, &good(), "")), ["addon.yaml", "config.yaml", "override.yaml"]);
}

#[test]
fn a_result_with_errors_is_refused() {
    let more =
        |name: &str| format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: shop}}\n");
    let (mut past, mut tip) = (good(), good());
    past.files.get_mut("config.yaml").unwrap().extend_from_slice(more("a/b").as_bytes());
    tip.files.get_mut("config.yaml").unwrap().extend_from_slice(more("ab").as_bytes());
    edit(&mut tip, "config.yaml", "value: '4'", "value: '5'");
    let refused = back(&tip, &past, "").unwrap_err().to_string();
    assert!(refused.starts_with("the result would have errors: config.yaml:13:18: metadata.name"), "{refused}");
}
