//! Whatever the bytes are, loading ends, and does not panic.

use proptest::prelude::*;
use tidegate::model::tree::Tree;
use tidegate::repository::load;

use super::{ADDON, PLACEMENT, TEMPLATE, complaints, tree};

fn file(bytes: Vec<u8>) -> Tree {
    Tree { files: [("x.yaml".to_owned(), bytes)].into(), ..Tree::default() }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..512)) {
        let _ = load(&file(bytes.clone()), "");
        let settings = Tree { files: [("tidegate.toml".to_owned(), bytes)].into(), ..Tree::default() };
        let _ = load(&settings, "");
    }

    #[test]
    fn yaml_like_text_is_read_or_refused(text in "[a-z:\\- \\n\\[\\]{}&*!|>'\"#%@0-9.~,?]{0,200}") {
        let _ = load(&file(format!("apiVersion: v1\nkind: X\nmetadata:\n  name: x\n{text}").into_bytes()), "");
    }

    #[test]
    fn a_good_file_with_a_wound_is_read_or_refused(
        which in 0..3_usize,
        at in any::<proptest::sample::Index>(),
        cut in 0..40_usize,
        put in proptest::collection::vec(any::<u8>(), 0..8),
    ) {
        let mut bytes = [ADDON, PLACEMENT, TEMPLATE][which].as_bytes().to_vec();
        let at = at.index(bytes.len());
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, put);
        let mut tree = super::with(&[]);
        tree.files.insert(["a.yaml", "p.yaml", "t.yaml"][which].to_owned(), bytes);
        let (a, b) = (load(&tree, ""), load(&tree, ""));
        prop_assert_eq!(a.complaints, b.complaints);
    }
}

#[test]
fn bombs_are_refused_in_no_time() {
    let mut aliases = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for (name, of) in ('b'..='j').zip('a'..='i') {
        aliases.push_str(&format!("{name}: &{name} [*{of}, *{of}, *{of}, *{of}, *{of}, *{of}, *{of}, *{of}, *{of}]\n"));
    }
    let deep = format!("a: {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let large = format!("a: {}", "x".repeat(2 * 1024 * 1024));
    for text in [aliases, deep, large] {
        let loaded = load(&tree(&[("bomb.yaml", &text)]), "");
        assert_eq!(complaints(&loaded).len(), 1, "{:?}", complaints(&loaded));
    }
}
