//! What is made of a good repository.

use tidegate::model::decision::Semantics;
use tidegate::model::object::ObjectKey;
use tidegate::repository::load;

use super::{ADDON, complaints, loaded, tree, with};

#[test]
fn hashes_are_over_what_an_api_server_would_hold() {
    let config = "apiVersion: addon.open-cluster-management.io/v1alpha1\nkind: AddOnDeploymentConfig\n\
                  metadata: {name: c, namespace: ocm}\nspec:\n  customizedVariables:\n    - {name: LOG_LEVEL, value: \"4\"}\n";
    let addon = ADDON.replace(
        "  installStrategy:",
        "    - {group: addon.open-cluster-management.io, resource: addondeploymentconfigs, namespace: ocm, name: c}\n  installStrategy:",
    );
    let loaded = loaded(&[("a.yaml", &addon), ("c.yaml", config)]);
    assert_eq!(complaints(&loaded), Vec::<String>::new());
    let configurations = &loaded.repository.addons["hello"].configurations;
    let hash = configurations.iter().find(|(reference, _)| reference.name == "c").map(|(_, c)| c.spec_hash.as_str());
    // The golden value has agentInstallNamespace with its default, which the file leaves out.
    assert_eq!(hash, Some("9814be4f96112e139006c75ccc41a29fef85a114a84c32c9c8fcacca23ec3997"));
}

#[test]
fn the_older_version_is_read_as_the_newer() {
    let alpha = ADDON
        .replace("v1beta1", "v1alpha1")
        .replace("defaultConfigs:", "supportedConfigs:")
        .replace("      name: hello-1", "      defaultConfig: {name: hello-1}");
    let (alpha, beta) = (loaded(&[("a.yaml", &alpha)]), loaded(&[]));
    assert_eq!(complaints(&alpha), Vec::<String>::new());
    let spec = |loaded: &tidegate::repository::Loaded| loaded.repository.addons["hello"].declaration.spec.clone();
    assert_eq!(spec(&alpha), spec(&beta));
}

#[test]
fn settings_say_where_the_declarations_are_and_the_argument_overrides_them() {
    let files = [
        (
            "tidegate.toml",
            "[repository]\npath = \"./prod/\"\n[rollout]\nsemantics = \"compat\"\n[journal]\nbranch = \"audit\"\n",
        ),
        ("prod/n.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n"),
        ("test/n.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: test}\n"),
        ("status/addons/x/status.yaml", "apiVersion: tidegate.io/v1alpha1\nkind: AddonStatus\n"),
    ];
    let names = |path: &str| {
        let loaded = load(&tree(&files), path);
        loaded.repository.objects.keys().map(|key| key.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["prod"]);
    assert_eq!(names("test"), ["test"]);
    assert_eq!(names("."), ["prod", "test"]);
    let settings = load(&tree(&files), "").repository.settings;
    assert_eq!((settings.journal.branch.as_str(), settings.rollout.semantics), ("audit", Semantics::Compat));
    assert_eq!((settings.prune.enabled, settings.prune.max_percent), (true, 20));
}

#[test]
fn what_is_no_kubernetes_object_is_none_of_our_business() {
    let loaded =
        loaded(&[("values.yaml", "replicas: 3\n"), (".github/ci.yaml", "kind: 1\n"), ("notes.txt", "kind: [")]);
    assert_eq!(complaints(&loaded), Vec::<String>::new());
}

#[test]
fn scalars_are_what_kubectl_reads() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: ocm}\nvalues: [yes, 0777, 1e3, 1.5, ~, \"on\"]\n";
    let loaded = load(&tree(&[("c.yaml", text)]), "");
    let object = &loaded.repository.objects[&ObjectKey::new("", "ConfigMap", "ocm", "c")].object;
    assert_eq!(object["values"], serde_json::json!([true, 511, 1000, 1.5, null, "on"]));
}

#[test]
fn the_same_files_give_the_same_answer() {
    let tree = with(&[("z.yaml", "a: [")]);
    let (a, b) = (load(&tree, ""), load(&tree, ""));
    assert_eq!(a.complaints, b.complaints);
    assert_eq!(a.repository.objects.keys().collect::<Vec<_>>(), b.repository.objects.keys().collect::<Vec<_>>());
}
