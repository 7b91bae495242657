//! Reads the files of trusted keys.

use std::path::{Path, PathBuf};

use tidegate_signature::{ParseError, Store};

/// Why trusted keys cannot be used. Displays as a sentence that names the file, and the line if there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusableKeys {
    /// The file cannot be read.
    #[error("the trusted keys in {} cannot be read: {why}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The message of the operating system. As text, because this error is compared with the previous one.
        why: String,
    },
    /// The file contains a mistake.
    #[error("the trusted keys in {} cannot be used: {first}", file.display())]
    Invalid {
        /// The file.
        file: PathBuf,
        /// The first mistake.
        first: ParseError,
    },
    /// The file contains no key.
    #[error(
        "the file {} contains no trusted keys; it must list allowed signers, or be an OpenPGP keyring", file.display()
    )]
    Empty {
        /// The file.
        file: PathBuf,
    },
}

/// Reads files of trusted keys, each a list of allowed signers or an OpenPGP keyring.
///
/// # Errors
/// [`UnusableKeys`] for the first file that cannot be used.
pub fn read_keys(files: &[PathBuf]) -> Result<Store, UnusableKeys> {
    let mut store = Store::default();
    for file in files {
        store.merge(read(file)?);
    }
    Ok(store)
}

fn read(path: &Path) -> Result<Store, UnusableKeys> {
    let file = path.to_owned();
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(UnusableKeys::Unreadable { file, why: error.to_string() }),
    };
    match Store::read(&bytes) {
        Ok(store) if store.is_empty() => Err(UnusableKeys::Empty { file }),
        Ok(store) => Ok(store),
        Err(mistakes) => match mistakes.into_iter().next() {
            Some(first) => Err(UnusableKeys::Invalid { file, first }),
            None => Err(UnusableKeys::Empty { file }),
        },
    }
}
