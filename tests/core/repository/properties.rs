//! Properties of loading: it terminates for any files, and always with the same result.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::fixture::good;
use tidegate_model::tree::Tree;
use tidegate_repository::{Complaint, Loaded, hold, load};

/// Fragments that mean something to YAML, TOML or the loader.
const FRAGMENTS: [&str; 24] = [
    "{{",
    "}}",
    "- ",
    ": ",
    "\n",
    "\n---\n",
    "&a ",
    "*a",
    "<<: ",
    "[",
    "}",
    "'",
    "|\n",
    "\t",
    "# ",
    "null",
    "!!binary ",
    "!!map ",
    "? ",
    "1e999",
    "\u{feff}",
    "kind: List\nitems:\n",
    "0777",
    "%YAML 1.1\n",
];

/// Names that mean something in manifests.
const NAMES: [&str; 16] = [
    "apiVersion",
    "kind",
    "metadata",
    "name",
    "labels",
    "spec",
    "selector",
    "matchLabels",
    "matchExpressions",
    "template",
    "containers",
    "resources",
    "data",
    "apps/v1",
    "Deployment",
    "{{CLUSTER_NAME}}",
];

fn json() -> impl Strategy<Value = Value> {
    let name = || (0..NAMES.len()).prop_map(|index| NAMES[index].to_owned());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-9.0..9.0).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        name().prop_map(Value::from),
    ];
    leaf.prop_recursive(8, 64, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((name(), inner), 0..6).prop_map(|fields| Value::from(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A manifest of a known kind with arbitrary fields.
fn manifest() -> impl Strategy<Value = Value> {
    let kinds = [("apps/v1", "Deployment"), ("v1", "Pod"), ("v1", "ConfigMap"), ("batch/v1", "CronJob")];
    (0..kinds.len(), json(), json(), json()).prop_map(move |(kind, metadata, spec, any)| {
        let (api_version, kind) = kinds[kind];
        json!({ "apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec, "data": any })
    })
}

/// One mutation of one file of the good repository.
#[derive(Debug, Clone)]
enum Mutation {
    Remove { file: usize, from: usize, count: usize },
    Insert { file: usize, at: usize, fragment: usize },
    Byte { file: usize, at: usize, byte: u8 },
    Copy { file: usize, from: usize, count: usize, to: usize },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = (any::<usize>(), any::<usize>());
    prop_oneof![
        (place, 0..40_usize).prop_map(|((file, from), count)| Mutation::Remove { file, from, count }),
        (place, 0..FRAGMENTS.len()).prop_map(|((file, at), fragment)| Mutation::Insert { file, at, fragment }),
        (place, any::<u8>()).prop_map(|((file, at), byte)| Mutation::Byte { file, at, byte }),
        (place, 0..80_usize, any::<usize>()).prop_map(|((file, from), count, to)| Mutation::Copy {
            file,
            from,
            count,
            to
        }),
    ]
}

fn mutate(tree: &mut Tree, mutation: &Mutation) {
    let (Mutation::Remove { file, .. }
    | Mutation::Insert { file, .. }
    | Mutation::Byte { file, .. }
    | Mutation::Copy { file, .. }) = mutation;
    let count = tree.files.len();
    let bytes = tree.files.values_mut().nth(file % count).expect("the tree has files");
    let length = bytes.len();
    let cut = |from: usize, count: usize| {
        let from = from % (length + 1);
        from..(from + count).min(length)
    };
    match *mutation {
        Mutation::Remove { from, count, .. } => drop(bytes.drain(cut(from, count))),
        Mutation::Insert { at, fragment, .. } => {
            let at = at % (length + 1);
            drop(bytes.splice(at..at, FRAGMENTS[fragment].bytes()));
        }
        Mutation::Byte { at, byte, .. } if length > 0 => bytes[at % length] = byte,
        Mutation::Byte { .. } => {}
        Mutation::Copy { from, count, to, .. } => {
            let copied = bytes[cut(from, count)].to_vec();
            let to = to % (length + 1);
            drop(bytes.splice(to..to, copied));
        }
    }
}

/// Checks what must hold for every result.
fn check(tree: &Tree, loaded: &Loaded) {
    assert!(loaded.complaints.is_sorted());
    assert_eq!(loaded.repository.may_prune, !loaded.complaints.iter().any(Complaint::is_error));
    for complaint in &loaded.complaints {
        assert!(complaint.diagnostic.place.line >= 1 && complaint.diagnostic.place.column >= 1);
        assert!(!complaint.diagnostic.message.contains('\n'), "{}", complaint.diagnostic.message);
        if let (Some(key), true) = (&complaint.object, complaint.is_error()) {
            assert!(!loaded.repository.objects.contains_key(key), "{key} has an error but is declared");
        }
    }
    for (addon, complaints) in &loaded.repository.blocked {
        assert!(!complaints.is_empty() && !loaded.repository.addons.contains_key(addon));
    }
    assert_eq!(load(tree, ""), *loaded, "the same files give the same result");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_load(yaml in vec(any::<u8>(), 0..400), toml in vec(any::<u8>(), 0..80)) {
        let mut tree = Tree::default();
        tree.files.insert("a.yaml".into(), yaml.clone());
        tree.files.insert("b.json".into(), yaml);
        check(&tree, &load(&tree, ""));
        tree.files.insert("tidegate.toml".into(), toml);
        check(&tree, &load(&tree, ""));
    }

    #[test]
    fn arbitrary_manifests_load(manifests in vec(prop_oneof![json(), manifest()], 0..4)) {
        let template = json!({
            "apiVersion": "addon.open-cluster-management.io/v1alpha1", "kind": "AddOnTemplate", "metadata": { "name": "hello-1" },
            "spec": { "addonName": "hello", "agentSpec": { "workload": { "manifests": manifests } } },
        });
        let mut tree = good();
        tree.files.remove("template.yaml");
        tree.files.insert("template.json".into(), template.to_string().into_bytes());
        check(&tree, &load(&tree, ""));
    }

    #[test]
    fn arbitrary_fragments_load(parts in vec(0..FRAGMENTS.len(), 0..60)) {
        let text: String = parts.into_iter().map(|part| FRAGMENTS[part]).collect();
        let mut tree = good();
        tree.files.insert("a.yaml".into(), text.into_bytes());
        check(&tree, &load(&tree, ""));
    }

    #[test]
    fn mutated_files_load_and_hold(mutations in vec(mutation(), 1..4)) {
        let mut tree = good();
        tree.files.insert("tidegate.toml".into(), b"[repository]\npath = '.'\n[prune]\nmax_percent = 5\n".to_vec());
        let last = Arc::new(hold(load(&tree, ""), &BTreeMap::new(), None));
        let good = last.addons.keys().map(|name| (name.clone(), Arc::clone(&last))).collect();
        for mutation in &mutations {
            mutate(&mut tree, mutation);
        }
        let loaded = load(&tree, "");
        check(&tree, &loaded);
        let held = hold(loaded.clone(), &good, Some(&last));
        for (addon, _) in loaded.repository.blocked {
            if last.addons.contains_key(&addon) {
                prop_assert_eq!(&held.addons[&addon], &last.addons[&addon]);
            }
        }
    }
}
