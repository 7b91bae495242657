//! The example repository: complete in the binary, and without errors.

use tidegate_model::tree::Tree;

use crate::example_tree::tree;

#[test]
fn the_binary_contains_every_file() {
    let embedded: Vec<(String, Vec<u8>)> = tidegate::cli::examples::FILES
        .iter()
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .collect();
    assert_eq!(embedded, tree().files.into_iter().collect::<Vec<_>>());
}

#[test]
fn the_example_repository_has_no_complaints() {
    let loaded = tidegate_repository::load(&tree(), "");
    let complaints: Vec<String> = loaded.complaints.iter().map(ToString::to_string).collect();
    assert_eq!(complaints, Vec::<String>::new());
    assert_eq!(loaded.repository.addons.len(), 2);
}

#[test]
fn each_overlay_loads_and_a_change_of_one_line_upgrades_both() {
    let mut tree = tree();
    let overlays = ["overlays/aws", "overlays/gcp"];
    assert_eq!(tidegate_kustomize::overlay::overlays(&tree), overlays);
    let versions = |tree: &Tree| {
        let version = |overlay: &str| {
            let loaded = tidegate_repository::load(tree, overlay);
            assert_eq!(loaded.complaints, [], "{overlay}");
            loaded.repository.addons.values().next().unwrap().defaults()[0].name.clone()
        };
        overlays.map(version)
    };
    assert_eq!(versions(&tree), ["managed-serviceaccount-0.4.0"; 2]);
    let file = tree.files.get_mut("base/managed-serviceaccount/addon.yaml").unwrap();
    let text = String::from_utf8(file.clone()).unwrap();
    let upgraded = text.replace("managed-serviceaccount-0.4.0 #", "managed-serviceaccount-0.4.1 #");
    let changed = text.lines().zip(upgraded.lines()).filter(|(one, other)| one != other);
    assert_eq!(changed.count(), 1);
    *file = upgraded.into_bytes();
    assert_eq!(versions(&tree), ["managed-serviceaccount-0.4.1"; 2]);
}
