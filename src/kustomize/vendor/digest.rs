//! The hash of vendored files.

use super::path::is_within;
use tidegate_model::digest::Digest;
use tidegate_model::tree::Tree;

/// A file in a vendored directory whose content is not known, so that the directory has no hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is not read: {why}")]
pub struct Unhashable {
    /// The path of the file.
    pub path: String,
    /// Why it is not read.
    pub why: String,
}

/// Returns the hash of the file of an application and of its definitions, which are a file or a directory.
///
/// # Errors
/// The path of what does not exist, or is not read completely, with the reason.
pub fn inputs(tree: &Tree, app: &str, definitions: &str) -> Result<Digest, Unhashable> {
    let of = |path: &str| match tree.files.get(path) {
        Some(bytes) => Ok(Digest::of(bytes)),
        None if tree.files.keys().any(|file| is_within(file, path)) => hash(tree, path),
        None => {
            let why = tree.skipped.get(path).cloned().unwrap_or_else(|| "there is no such file".to_owned());
            Err(Unhashable { path: path.to_owned(), why })
        }
    };
    let (app, definitions) = (of(app)?, of(definitions)?);
    Ok(Digest::of(format!("{}\n{}\n", app.as_str(), definitions.as_str()).as_bytes()))
}

/// Returns the hash of all files and symbolic links of a directory; the empty path means the root of the tree.
///
/// It is the SHA-256 over the files and links, sorted by path. Each is written as its kind (`f` for a file, `l` for a link), the length of
/// its path relative to the directory as eight bytes, big-endian, the path, and the SHA-256 of its content as 64 hexadecimal digits. The
/// content of a link is its target. The mode of a file does not count, since nothing runs vendored files.
///
/// # Errors
/// [`Unhashable`] if the tree does not contain everything in the directory.
pub fn hash(tree: &Tree, directory: &str) -> Result<Digest, Unhashable> {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    if let Some((path, why)) = tree.skipped.iter().find(|(path, _)| {
        // A skipped directory above this one hides it.
        (path.starts_with(&prefix) || is_within(directory, path)) && !tree.links.contains_key(*path)
    }) {
        return Err(Unhashable { path: path.clone(), why: why.clone() });
    }
    let files = tree.files.range(prefix.clone()..).map(|(path, bytes)| (path, b'f', bytes.as_slice()));
    let links = tree.links.range(prefix.clone()..).map(|(path, target)| (path, b'l', target.as_bytes()));
    let files = files.take_while(|(path, ..)| path.starts_with(&prefix));
    let links = links.take_while(|(path, ..)| path.starts_with(&prefix));
    let mut all: Vec<_> = files.chain(links).collect();
    all.sort();
    let mut hashed = Vec::new();
    for (path, kind, content) in all {
        let path = path.strip_prefix(&prefix).unwrap_or(path);
        hashed.push(kind);
        hashed.extend((path.len() as u64).to_be_bytes());
        hashed.extend(path.as_bytes());
        hashed.extend(Digest::of(content).as_str().as_bytes());
    }
    Ok(Digest::of(&hashed))
}
