//! The people of a demo. Each has an SSH key that is created for the demo.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use ring::rand::{SystemRandom, generate};

use super::place::Place;
use super::repository::Author;
use crate::cli::failure::Failure;
use tidegate_git::Signer;
use tidegate_signature::{SigningKey, new_private_key};

/// The author of the change, and the person who approves it.
pub(super) const ADA: &str = "ada";
pub(super) const BOB: &str = "bob";

/// A person with a key.
pub(super) struct Person {
    name: &'static str,
    signer: Signer,
}

impl Person {
    /// Reads the key of a person.
    pub(super) fn read(place: &Place, name: &'static str) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(place.key(name)).map_err(|error| Failure::internal(&error))?;
        let key = SigningKey::read(&text).map_err(|error| Failure::internal(&error))?;
        Ok(Self { name, signer: Box::new(move |payload| key.sign(payload).map_err(|error| error.to_string())) })
    }

    /// Returns the person as the author of a commit.
    pub(super) fn author(&self) -> Author<'_> {
        Author { name: self.name, signer: Some(&self.signer) }
    }
}

/// Creates a key for each person, and the list of keys that the daemon trusts.
pub(super) fn create(place: &Place) -> Result<(), Failure> {
    let random = SystemRandom::new();
    let mut signers = String::new();
    for name in [ADA, BOB] {
        let address = format!("{name}@localhost");
        let seed =
            generate(&random).map_err(|_| Failure::Internal("the system has no random numbers".to_owned()))?.expose();
        let text = new_private_key(&seed, &address).map_err(|error| Failure::internal(&error))?;
        let key = SigningKey::read(&text).map_err(|error| Failure::internal(&error))?;
        signers += &format!("{address} {}\n", key.public_key());
        write(&place.key(name), &text)?;
    }
    write(&place.allowed_signers(), &signers)
}

/// Writes a file that only its owner may read.
fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Failure::Usage(format!("{} cannot be written: {error}; give another --dir", path.display())))
}
