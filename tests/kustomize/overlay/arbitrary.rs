//! Runs the entry points on arbitrary bytes and on meaningful tokens.

use proptest::prelude::*;

use super::entry_points;

const WORDS: &[&str] = &[
    "\n====\n",
    "\n",
    "  ",
    "- ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "'",
    "\"",
    "#",
    "&a ",
    "*a",
    "<<: ",
    "---\n",
    "null",
    "1",
    "0x1",
    "~",
    "apiVersion: v1\n",
    "kind: ConfigMap\n",
    "metadata:\n",
    "name: a\n",
    "metadata: {name: a}\n",
    "resources: [a.yaml]\n",
    "base",
    "namePrefix: p-\n",
    "namespace: n\n",
    "patches:\n",
    "- patch: ",
    "target: {kind: .*}\n",
    "$patch: delete\n",
    "spec:\n",
    "op: add",
    "path: /metadata/labels",
    "value: 1",
    "labels:\n",
    "- pairs: {a: b}\n",
    "configMapGenerator:\n",
    "literals: [a=b]\n",
    "items:\n",
    "replacements:\n",
    "source: {kind: ConfigMap}\n",
    "targets: [{select: {kind: .*}, fieldPaths: [metadata.name]}]\n",
    "é",
    "\t",
];

fn soup() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        9 => prop::sample::select(WORDS).prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(word, 0..60).prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop_oneof![soup(), prop::collection::vec(any::<u8>(), 0..200)]) {
        entry_points::yaml(&bytes);
        entry_points::overlay(&bytes);
        entry_points::patch(&bytes);
    }
}
