//! For any content of the files, rendering ends and reports why it failed.

use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::Value;
use tidegate_kustomize::overlay;
use tidegate_model::tree::Tree;

use super::recorded::files;
use crate::recorded::recorded;

/// The recorded cases: their files, and the directory to build.
static CASES: LazyLock<Vec<(Tree, String)>> = LazyLock::new(|| {
    let text = recorded("kustomize");
    let cases = text.lines().map(|line| serde_json::from_str(line).unwrap());
    cases.map(|case: Value| (files(&case), case["entry"].as_str().unwrap().to_owned())).collect()
});

/// Strings that have a meaning in kustomizations.
const WORDS: &[&str] = &[
    "null",
    "{}",
    "[]",
    "~",
    "''",
    "\"",
    "- ",
    "  ",
    "\n",
    ": ",
    "#",
    "1",
    "true",
    "yes",
    "-1",
    "*",
    ".*",
    "[",
    "(",
    "|-\n",
    "---\n",
    "..",
    "../..",
    ".",
    "/",
    "$patch: delete\n",
    "$patch: replace\n",
    "name: web\n",
    "kind: List\n",
    "items: []\n",
    "metadata: null\n",
    "namespace: shop\n",
    "behavior: merge\n",
    "create: true\n",
    "&a",
    "*a",
    "<<: *a\n",
    "\u{0}",
    "é",
];

/// What an edit does to the bytes of a file.
#[derive(Debug, Clone)]
enum Edit {
    Insert(usize, &'static str),
    Remove(usize, usize),
    RepeatLine(usize),
    RemoveLine(usize),
    Swap(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    prop_oneof![
        (any::<usize>(), prop::sample::select(WORDS)).prop_map(|(at, word)| Edit::Insert(at, word)),
        (any::<usize>(), 1..20_usize).prop_map(|(at, len)| Edit::Remove(at, len)),
        any::<usize>().prop_map(Edit::RepeatLine),
        any::<usize>().prop_map(Edit::RemoveLine),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Swap(a, b)),
    ]
}

fn apply(edit: &Edit, bytes: &mut Vec<u8>) {
    let place = |at: usize, len: usize| at.checked_rem(len).unwrap_or(0);
    let lines = |bytes: &[u8]| bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    match edit {
        Edit::Insert(at, word) => {
            let at = place(*at, bytes.len() + 1);
            bytes.splice(at..at, word.bytes());
        }
        Edit::Remove(at, len) => {
            let at = place(*at, bytes.len() + 1);
            bytes.drain(at..(at + len).min(bytes.len()));
        }
        Edit::RepeatLine(at) | Edit::RemoveLine(at) | Edit::Swap(at, _) => {
            let mut all = lines(bytes);
            if all.is_empty() {
                return;
            }
            let at = place(*at, all.len());
            match edit {
                Edit::RepeatLine(_) => all.insert(at, all[at].clone()),
                Edit::Swap(_, other) => {
                    let other = place(*other, all.len());
                    all.swap(at, other);
                }
                _ => drop(all.remove(at)),
            }
            *bytes = all.concat();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn edited_kustomizations_render_or_report_why_not(
        case in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), edit()), 1..6),
    ) {
        let (mut tree, entry) = CASES[case.index(CASES.len())].clone();
        let paths: Vec<_> = tree.files.keys().cloned().collect();
        for (file, edit) in &edits {
            apply(edit, tree.files.get_mut(&paths[file.index(paths.len())]).unwrap());
        }
        let rendered = overlay::render(&tree, &entry);
        if rendered.is_failed() {
            prop_assert!(rendered.objects.is_empty());
        } else {
            rendered.to_yaml().unwrap();
        }
        for complaint in &rendered.complaints {
            prop_assert!(!complaint.message.is_empty());
        }
        // The same files give the same result.
        let again = overlay::render(&tree, &entry);
        prop_assert_eq!(again.complaints, rendered.complaints);
        prop_assert_eq!(again.read, rendered.read);
    }
}
