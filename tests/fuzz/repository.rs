//! Repositories, in which one file is changed.

use tidegate_repository::load;

use super::fuzz;

/// Ends the path of a file in an input.
const END: u8 = b'\0';

#[test]
fn one_changed_file() {
    let tree = crate::example_tree::tree();
    let files = tree.files.iter().filter(|(path, _)| path.ends_with(".yaml") || path.ends_with(".toml"));
    let samples: Vec<Vec<u8>> = files.map(|(path, bytes)| [path.as_bytes(), &[END], bytes].concat()).collect();
    fuzz(&samples, |bytes| {
        let at = bytes.iter().position(|byte| *byte == END).unwrap_or(0);
        let mut tree = tree.clone();
        tree.files.insert(String::from_utf8_lossy(&bytes[..at]).into_owned(), bytes[at..].to_vec());
        let _loaded = load(&tree, "fleet");
    });
}
